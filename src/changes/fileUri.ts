/**
 * The URI of an absolute path as VS Code writes it, so that both name the same folder alike. Node.js's
 * `pathToFileURL` leaves characters that VS Code encodes, such as `(` and `@`, and keeps a drive letter's case.
 */
export function fileUri(path: string, platform: NodeJS.Platform = process.platform): string {
  const onWindows = platform === 'win32';
  const slashed = onWindows ? path.replaceAll('\\', '/') : path;
  const [, server, rest = slashed] = (onWindows && /^\/\/([^/]*)(.*)$/.exec(slashed)) || [];
  const local = rest.replace(/^([A-Za-z]):/, (_, drive: string) =>
    onWindows ? `/${drive.toLowerCase()}:` : `${drive}:`,
  );
  return `file://${server ?? ''}${local.split('/').map(encodeSegment).join('/')}`;
}

const encodeSegment = (segment: string): string =>
  // Through bytes, since a name on Windows may hold half of a surrogate pair.
  encodeURIComponent(Buffer.from(segment).toString('utf8')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
