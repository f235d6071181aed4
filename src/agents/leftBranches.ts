import type { ThreadBranch, Turn } from '../core/model/thread.js';
import { branchOf, type Spoken } from './branch.js';

/** The conversation as it was before something was undone, where the agent keeps no tree. */
export interface LeftBranch<T> {
  readonly leaf: string;
  readonly items: readonly T[];
}

/** Names the active branch of a conversation without a tree. */
export const activeLeaf = 'now';

/**
 * The branches of a conversation that goes on in one line, from what was left behind (oldest first)
 * and what is there now. One that brings no prompt or answer of its own is none.
 */
export function leftBranches<T>(
  left: readonly LeftBranch<T>[],
  now: readonly T[],
  spokenIn: (item: T) => Spoken | undefined,
): readonly ThreadBranch[] {
  const spokenOf = (items: readonly T[]) =>
    items.map(spokenIn).filter((spoken) => spoken !== undefined);
  // What is undone step by step is left once, as it was before the first step.
  const before = new Fresh();
  const whole = left
    .map(({ leaf, items }) => ({ leaf, spoken: spokenOf(items) }))
    .filter(({ spoken }) => before.take(spoken).length > 0);
  const taken = new Fresh();
  const branches = [branchOf(activeLeaf, taken.take(spokenOf(now)), true)];
  for (const { leaf, spoken } of whole.toReversed()) {
    const own = taken.take(spoken);
    if (own.length > 0) branches.push(branchOf(leaf, own, false));
  }
  return branches.toReversed();
}

/** Tells what was not there before. */
class Fresh {
  private readonly keys = new Set<unknown>();

  take(spoken: readonly Spoken[]): readonly Spoken[] {
    const fresh = spoken.filter(({ key }) => !this.keys.has(key));
    for (const { key } of fresh) this.keys.add(key);
    return fresh;
  }
}

/**
 * What a conversation was before some of its rows went, from all rows of before in order: what stands in their
 * place now came in the same moment.
 */
export function beforeLoss<T>(before: readonly T[], lost: readonly T[]): readonly T[] {
  const gone = new Set(lost);
  const first = before.findIndex((item) => gone.has(item));
  return before.filter((item, at) => at < first || gone.has(item));
}

/** The items of the branch that was asked for; those of now if there is no such branch. */
export const chosenItems = <T>(
  left: readonly LeftBranch<T>[],
  now: readonly T[],
  asked: string | undefined,
): readonly T[] => left.find(({ leaf }) => leaf === asked)?.items ?? now;

/** What a turn says; turns are told apart by what they are, because their ids may come again. */
export function spokenInTurn(turn: Turn): Spoken | undefined {
  const { role, at, parts } = turn;
  if (role === 'system') return undefined;
  const text = parts.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('\n');
  return { key: turn, at, prompt: role === 'user' ? text : undefined };
}
