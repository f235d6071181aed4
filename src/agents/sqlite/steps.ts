import type { NoticeKind, Part, Tokens, Turn } from '../../core/model/thread.js';
import type { ToolResult } from '../parts.js';
import { ThreadTally } from '../threadTally.js';
import { sumOf } from '../tokens.js';
import { TurnList } from '../turnList.js';

/** One row of a conversation: a prompt, a step of an answer, or what is not shown. */
export interface Step {
  readonly id: string;
  /** Where it stands in the conversation. */
  readonly place: number;
  readonly role: 'user' | 'assistant' | 'none';
  readonly at?: number | undefined;
  readonly model?: string | undefined;
  readonly tokens?: Tokens | undefined;
  /** What a person typed; of `user` only. */
  readonly typed?: string | undefined;
  readonly parts: readonly Part[];
  /** Results of calls that other steps made, by the calls' ids. */
  readonly results?: readonly (readonly [string, ToolResult])[];
  /** Of a row that the conversation has no more, though it is still there: it is on a branch that was left. */
  readonly isLeftOver?: boolean;
  /** Instead of parts: something that happened. */
  readonly notice?: { readonly kind: NoticeKind; readonly text: string };
}

/** The steps of one answer are one turn. */
export function turnsOf(steps: readonly Step[]): readonly Turn[] {
  const turns = new TurnList();
  const results = new Map(steps.flatMap((step) => step.results ?? []));
  for (const { id, role, at, model, tokens, parts, notice } of steps) {
    if (notice?.kind === 'compaction') turns.compaction(notice.text, { id, at });
    else if (notice !== undefined) turns.notice(notice.kind, notice.text, { id, at });
    if (role === 'none' || parts.length === 0) continue;
    const shown = parts.flatMap((part) => answered(part, results));
    const last = turns.turns.at(-1);
    if (role === 'assistant' && last?.role === 'assistant') {
      last.parts.push(...shown);
      if (tokens) last.tokens = sumOf(last.tokens, tokens);
    } else turns.open(role, { id, at, model, tokens }, shown);
  }
  return turns.turns;
}

function answered(part: Part, results: ReadonlyMap<string, ToolResult>): readonly Part[] {
  if (part.kind !== 'toolCall' || part.result !== undefined) return [part];
  const result = results.get(part.id);
  if (result === undefined) return [part];
  const { text, isError, media = [] } = result;
  return [{ ...part, result: { text, isError } }, ...media];
}

export function tallyOf(steps: readonly Step[]): ThreadTally {
  const tally = new ThreadTally();
  for (const { id, role, model, tokens, typed, parts, results = [] } of steps) {
    if (role === 'user') tally.prompts.add(typed ?? '');
    for (const [call] of results) tally.results.add(call);
    if (role !== 'assistant') continue;
    tally.answers.add(id);
    tally.tokens.add(tokens);
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

/** For counting only: of texts no more is kept than what a person typed. */
export const lean = (step: Step): Step => ({
  ...step,
  parts: step.parts.flatMap((part): readonly Part[] => {
    if (part.kind === 'thinking') return [{ kind: 'thinking', text: '' }];
    if (part.kind !== 'toolCall') return [];
    const result = part.result && { text: '', isError: part.result.isError };
    return [{ ...part, input: undefined, result }];
  }),
  results: (step.results ?? []).map(([id, { isError }]) => [id, { text: '', isError }]),
});
