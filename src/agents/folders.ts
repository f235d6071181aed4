/** Whether a working folder is one of the folders or lies inside one. */
export const isInside = (cwd: string, folders: readonly string[]): boolean =>
  folders.some((folder) => {
    const inner = comparable(cwd);
    const outer = comparable(folder);
    return inner === outer || inner.startsWith(`${outer}/`);
  });

/** Windows paths are told by their drive or share: there neither case nor the kind of slash matters. */
export function comparable(folder: string): string {
  const isWindows = /^([A-Za-z]:|\\\\)/.test(folder);
  const path = withoutEnd(folder);
  return isWindows ? path.replaceAll('\\', '/').toLowerCase() : path;
}

/** Every UTF-16 unit outside A-Z a-z 0-9 as a dash: how several agents name a folder's sessions. */
export const dashed = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-');

/**
 * Whether a folder that is named so may hold sessions of the working folder or of one inside it.
 * Names are cut at `longest` units. It only ever narrows a search: different folders can get one name.
 */
export function mayHold(name: string, folder: string, longest = Infinity): boolean {
  // The letter case of a Windows path differs between launches, and this is only a filter.
  const lower = name.toLowerCase();
  const whole = dashed(withoutEnd(folder)).toLowerCase();
  const inside = `${whole}-`.slice(0, longest);
  return lower === whole || lower.startsWith(inside);
}

const withoutEnd = (folder: string): string => folder.replace(/[\\/]+$/, '');
