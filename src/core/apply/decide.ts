import type { ConflictReason, LeftReason } from './types.js';

/** A file of one version as git has it: its mode and the hash of its content. */
export interface Side {
  readonly mode: string;
  readonly content: string;
}

/** The three versions of one file; absent: there is none. */
export interface Versions {
  /** At the commit that the session's changes lie on. */
  readonly base?: Side | undefined;
  /** As it is here, saved or committed. */
  readonly ours?: Side | undefined;
  readonly theirs?: Side | undefined;
}

export type Decision =
  | { readonly do: 'nothing' }
  | { readonly do: 'write'; readonly side: Side; readonly kind: 'add' | 'change' }
  | { readonly do: 'delete' }
  /** Both changed the content. */
  | { readonly do: 'merge'; readonly mode: string; readonly base: Side; readonly ours: Side }
  | { readonly do: 'leave'; readonly reason: LeftReason }
  | { readonly do: 'refuse'; readonly reason: ConflictReason };

const link = '120000';
const submodule = '160000';

/** What to do with one file, by a three-way comparison. Whatever only one side changed is that side's. */
export function decide({ base, ours, theirs }: Versions): Decision {
  if (same(ours, theirs)) return { do: 'nothing' };
  if ([base, theirs].some((side) => side?.mode === submodule)) return leave('submodule');
  if ([base, theirs].some((side) => side?.mode === link)) return leave('link');
  if (same(theirs, base)) return { do: 'nothing' };
  if (ours !== undefined && !isFile(ours)) return refuse('inTheWay');
  if (same(ours, base)) {
    if (theirs === undefined) return { do: 'delete' };
    return { do: 'write', side: theirs, kind: ours === undefined ? 'add' : 'change' };
  }
  if (base === undefined) return refuse('bothAdded');
  if (ours === undefined) return refuse('deletedHere');
  if (theirs === undefined) return refuse('changedHere');
  const mode = pick(base.mode, ours.mode, theirs.mode) ?? theirs.mode;
  const content = pick(base.content, ours.content, theirs.content);
  if (content === undefined) return { do: 'merge', mode, base, ours };
  if (mode === ours.mode && content === ours.content) return { do: 'nothing' };
  return { do: 'write', side: { mode, content }, kind: 'change' };
}

/**
 * What to do with a file that the session moved: `from` are its versions under the old name, of which
 * `theirs` is the content under the new one; `to` is what is here under the new name.
 */
export function decideMove(
  from: Versions & { readonly theirs: Side },
  to: Side | undefined,
): Decision {
  const { base, ours, theirs } = from;
  if (!isFile(theirs)) return leave(theirs.mode === link ? 'link' : 'submodule');
  if (ours === undefined) return same(to, theirs) ? { do: 'nothing' } : refuse('deletedHere');
  if (to !== undefined && !same(to, theirs)) return refuse(isFile(to) ? 'bothAdded' : 'inTheWay');
  if (same(ours, base)) return { do: 'write', side: theirs, kind: 'change' };
  if (to !== undefined) return refuse('changedHere');
  const decision = decide(from);
  // What is here already is under the old name.
  return decision.do === 'nothing' ? { do: 'write', side: ours, kind: 'change' } : decision;
}

/**
 * What to do with a file that was moved here, to a path where `ours` is, from the one that `base` has at the commit;
 * `isMoved`: the session moved it as well, to another path.
 */
export function decideMovedHere(versions: Versions, isMoved: boolean): Decision {
  if (versions.theirs === undefined) return refuse('movedHere');
  return isMoved ? refuse('bothMoved') : decide(versions);
}

const same = (one: Side | undefined, other: Side | undefined): boolean =>
  one?.mode === other?.mode && one?.content === other?.content;

const isFile = ({ mode }: Side): boolean => mode.startsWith('100');

/** Of three values the one that was changed; undefined: both sides changed it. */
function pick(base: string, ours: string, theirs: string): string | undefined {
  if (ours === base || ours === theirs) return theirs;
  return theirs === base ? ours : undefined;
}

const leave = (reason: LeftReason): Decision => ({ do: 'leave', reason });
const refuse = (reason: ConflictReason): Decision => ({ do: 'refuse', reason });
