import type { Thread, ThreadBranch, Turn } from '../core/model/thread.js';
import { withImages } from './parts.js';
import type { ParserOptions } from './source.js';

/** What a thread says of its turns. */
export type Conversation = Pick<Thread, 'turns' | 'branches'>;

/** For those who did not ask for turns. */
export const noTurns: Conversation = { turns: [] };

/** Turns and branches as they were asked for; a thread without a second branch has none to choose from. */
export function conversation(
  turns: readonly Turn[],
  branches: readonly ThreadBranch[],
  options: ParserOptions,
): Conversation {
  const shown = withImages(turns, options);
  return branches.length > 1 ? { turns: shown, branches } : { turns: shown };
}
