import type { Part, Turn } from '../../core/model/thread.js';
import { ThreadTally } from '../threadTally.js';
import { TurnList } from '../turnList.js';

/** One record of Cursor's, in whichever store: a prompt, a step of an answer, or what it does not show. */
export interface Step {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'none';
  readonly at?: number | undefined;
  readonly model?: string | undefined;
  /** What a person typed; of `user` only. */
  readonly typed?: string | undefined;
  readonly parts: readonly Part[];
}

/** The steps of one answer are one turn. */
export function turnsOf(steps: readonly Step[]): readonly Turn[] {
  const turns = new TurnList();
  for (const { id, role, at, model, parts } of steps) {
    if (role === 'none' || parts.length === 0) continue;
    const last = turns.turns.at(-1);
    if (role === 'assistant' && last?.role === 'assistant') last.parts.push(...parts);
    else turns.open(role, { id, at, model }, parts);
  }
  return turns.turns;
}

export function tallyOf(steps: readonly Step[]): ThreadTally {
  const tally = new ThreadTally();
  for (const { id, role, model, typed, parts } of steps) {
    if (role === 'user') tally.prompts.add(typed ?? '');
    if (role !== 'assistant') continue;
    tally.answers.add(id);
    if (model !== undefined) tally.models.add(model);
    for (const part of parts) {
      if (part.kind === 'thinking') tally.thinkingBlocks += 1;
      if (part.kind !== 'toolCall') continue;
      tally.calls.add(part.id);
      if (part.result !== undefined) tally.results.add(part.id);
    }
  }
  return tally;
}

/** For counting only: no text is kept but the first and last that a person typed may be needed. */
export const lean = (step: Step): Step => ({
  ...step,
  parts: step.parts.flatMap((part): readonly Part[] => {
    if (part.kind === 'thinking') return [{ kind: 'thinking', text: '' }];
    if (part.kind !== 'toolCall') return [];
    const result = part.result && { text: '', isError: part.result.isError };
    return [{ ...part, input: undefined, result }];
  }),
});
