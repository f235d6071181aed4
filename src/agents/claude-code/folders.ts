const longestName = 200;

/**
 * The name of the folder under `projects/` in which Claude Code keeps the sessions of a working folder
 * (tried on 2.1.197): every UTF-16 unit outside A-Z a-z 0-9 becomes a dash; above 200 units the
 * rest gives way to a hash of the whole path. Different folders can get one name, so it only ever
 * narrows a search.
 */
export function encodeFolder(folder: string): string {
  const name = dashed(folder);
  return name.length <= longestName
    ? name
    : `${name.slice(0, longestName)}-${Math.abs(stringHash(folder)).toString(36)}`;
}

/** Whether the folder of that name may hold sessions of the working folder or of one inside it. */
export function mayHold(name: string, folder: string): boolean {
  // The letter case of a Windows path differs between launches, and this is only a filter.
  const lower = name.toLowerCase();
  const whole = dashed(withoutEnd(folder)).toLowerCase();
  const inside = `${whole}-`.slice(0, longestName);
  return lower === whole || lower.startsWith(inside);
}

/** Whether a working folder is one of the folders or lies inside one. */
export const isInside = (cwd: string, folders: readonly string[]): boolean =>
  folders.some((folder) => {
    const inner = comparable(cwd);
    const outer = comparable(folder);
    return inner === outer || inner.startsWith(`${outer}/`);
  });

const dashed = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-');

/** The signed 32-bit hash of Java's `String.hashCode`, over UTF-16 units. */
function stringHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

const withoutEnd = (folder: string): string => folder.replace(/[\\/]+$/, '');

/** Windows paths are told by their drive or share: there neither case nor the kind of slash matters. */
function comparable(folder: string): string {
  const isWindows = /^([A-Za-z]:|\\\\)/.test(folder);
  const path = withoutEnd(folder);
  return isWindows ? path.replaceAll('\\', '/').toLowerCase() : path;
}
