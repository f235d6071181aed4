/** Where a transcript's path may be in the window: relative to the folder that it was about. */
export interface Candidate {
  /** With `/`, without a leading one, nothing in it leads upwards. */
  readonly relative: string;
  /** The window's folder; undefined: any of them. */
  readonly folder?: string | undefined;
}

/**
 * A path as a transcript has it, as one in the window's folders. The conversation may have been held in another clone, in
 * a worktree or in a folder inside: then it is the place below that folder that counts. Undefined for what lies outside.
 *
 * @param cwd the conversation's folder
 * @param folders paths of the window's folders
 */
export function inFolders(
  path: string,
  cwd: string | undefined,
  folders: readonly string[],
): Candidate | undefined {
  const plain = slashed(path.replace(/^file:\/\/(?=\/)/, ''));
  if (plain.includes('\0') || /^[a-z][a-z\d+.-]+:/i.test(plain)) return undefined;
  const base = cwd === undefined ? undefined : slashed(cwd);
  const home =
    base === undefined ? undefined : folders.find((each) => isBelow(base, slashed(each)));
  if (isAbsolute(plain)) {
    const folder = folders.find((each) => isBelow(plain, slashed(each)));
    if (folder !== undefined) return candidate(below(plain, slashed(folder)), folder);
    return base !== undefined && isBelow(plain, base) ? candidate(below(plain, base)) : undefined;
  }
  if (base === undefined || home === undefined) return candidate(plain);
  return candidate(`${below(base, slashed(home))}/${plain}`, home);
}

/** A path as it is said to somebody who knows the folder: what lies in it without the folder's own path. */
export function withoutFolder(path: string, folder: string | undefined): string {
  const base = (folder ?? '').replace(/[/\\]+$/, '');
  const isIn = base !== '' && path.startsWith(base) && /^[/\\]./.test(path.slice(base.length));
  return isIn ? path.slice(base.length + 1) : path;
}

const slashed = (path: string): string => path.replaceAll('\\', '/').replace(/\/+$/, '');

const isAbsolute = (path: string): boolean => /^(?:\/|[a-z]:\/)/i.test(path);

/** Case of drive letters differs between programs. */
const comparable = (path: string): string =>
  path.replace(/^[a-z]:/i, (drive) => drive.toLowerCase());

const isBelow = (path: string, folder: string): boolean =>
  comparable(path) === comparable(folder) || comparable(path).startsWith(`${comparable(folder)}/`);

const below = (path: string, folder: string): string => path.slice(folder.length + 1);

function candidate(relative: string, folder?: string): Candidate | undefined {
  const steps: string[] = [];
  for (const step of relative.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.length === 0 ? undefined : { relative: steps.join('/'), folder };
}

/** Of files with the same name, the one that shares most folders at the end; undefined where two do. */
export function likeliest(relative: string, others: readonly string[]): string | undefined {
  const scored = others
    .map((other) => ({ other, score: sharedEnd(relative, other) }))
    .sort((one, next) => next.score - one.score);
  const [first, second] = scored;
  return first !== undefined && first.score !== second?.score ? first.other : undefined;
}

function sharedEnd(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()];
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return shared;
}
