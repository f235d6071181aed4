/** The part of a patch that is about one file. */
export interface PatchSection {
  /** The file's path after the change, as git writes it: quoted where it has odd characters. */
  readonly path: string;
  readonly isBinary: boolean;
  readonly bytes: Uint8Array;
}

const mark = Buffer.from('diff --git ');
const lineFeed = 0x0a;

/**
 * Cuts what `git diff` wrote by files. Every line of a file's content begins with a space, a sign or a
 * backslash, so a line that begins with `diff --git` is a head; what is before the first one is dropped.
 */
export function patchSections(patch: Uint8Array): readonly PatchSection[] {
  const bytes = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength);
  const starts: number[] = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
    if (at === 0 || bytes[at - 1] === lineFeed) starts.push(at);
  }
  return starts.map((start, index) => {
    const section = bytes.subarray(start, starts[index + 1] ?? bytes.length);
    const head = section.subarray(0, headEnd(section)).toString('utf8');
    return {
      path: pathOf(head),
      isBinary: /^(?:GIT binary patch|Binary files )/m.test(head),
      bytes: section,
    };
  });
}

/** Where the first hunk begins, with the first line of it. */
function headEnd(section: Buffer): number {
  const hunk = section.indexOf('\n@@ ');
  return hunk === -1 ? Math.min(section.length, 16 * 1024) : hunk;
}

function pathOf(head: string): string {
  const after =
    /^\+\+\+ b\/(.*?)\t?$/m.exec(head)?.[1] ??
    /^(?:rename|copy) to (.*)$/m.exec(head)?.[1] ??
    /^--- a\/(.*?)\t?$/m.exec(head)?.[1];
  if (after !== undefined) return after;
  const [first = ''] = head.split('\n');
  // Both names are the same here: half of the line.
  const names = first.slice('diff --git '.length);
  return names.slice((names.length - 1) / 2 + 1).replace(/^"?b\//, '');
}
