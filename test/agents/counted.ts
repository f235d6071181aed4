import type { Thread } from '../../src/core/model/thread.js';

/** A thread's counts in a few words. */
export const counted = ({ counts }: Thread) => ({
  prompts: counts.userTurns,
  answers: counts.assistantMessages,
  calls: counts.toolCalls,
  matched: counts.toolResultsMatched,
  orphans: counts.toolResultsOrphan,
  thinking: counts.thinkingBlocks,
  first: counts.firstPrompt,
});

export type Counted = ReturnType<typeof counted>;

/** What an empty thread has. */
export const nothing: Counted = {
  prompts: 0,
  answers: 0,
  calls: 0,
  matched: 0,
  orphans: 0,
  thinking: 0,
  first: undefined,
};
