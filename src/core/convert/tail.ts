import type { Part, Thread, Turn } from '../model/thread.js';
import type { CountTokens } from './window.js';

/** About what vendors count for a picture of usual size. */
const IMAGE = 1500;
/** Marks around each part of a request. */
const PART = 8;

function partTokens(part: Part, count: CountTokens): number {
  switch (part.kind) {
    case 'toolCall': {
      const input = part.input === undefined ? '' : JSON.stringify(part.input);
      return PART + count(part.name) + count(input) + count(part.result?.text ?? '');
    }
    case 'image':
      return IMAGE;
    case 'attachment':
      return PART + count(part.name);
    // Another agent's thinking is not sent.
    case 'thinking':
      return 0;
    case 'text':
    case 'notice':
      return PART + count(part.text);
  }
}

/** What a turn costs a target, about. */
export const turnTokens = ({ parts }: Turn, count: CountTokens): number =>
  parts.reduce((sum, part) => sum + partTokens(part, count), 0);

export interface Size {
  readonly tokens: number;
  readonly budget: number;
  readonly fits: boolean;
}

/** Whether a thread's turns fit into so many tokens. */
export function sizeOf({ turns }: Pick<Thread, 'turns'>, budget: number, count: CountTokens): Size {
  const tokens = turns.reduce((sum, turn) => sum + turnTokens(turn, count), 0);
  return { tokens, budget, fits: tokens <= budget };
}

/**
 * The place of the first turn of the longest end of a thread that fits, which begins with a prompt; the number of
 * turns where not even the last prompt and what follows fit.
 */
export function tailStart(turns: readonly Turn[], budget: number, count: CountTokens): number {
  let free = budget;
  let start = turns.length;
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at];
    if (turn === undefined) continue;
    free -= turnTokens(turn, count);
    if (free < 0) break;
    if (turn.role === 'user' && turn.parts.some(({ kind }) => kind === 'text')) start = at;
  }
  return start;
}

/**
 * A thread's end, after a summary of what came before it in the place where an agent's own compaction would stand.
 *
 * @param start place of the first turn that stays
 */
export function tailOf(thread: Thread, start: number, summary: string): Thread {
  if (start === 0) return thread;
  const turn: Turn = {
    id: 'earlier',
    role: 'system',
    at: thread.turns[start]?.at,
    parts: [{ kind: 'notice', notice: 'compaction', text: summary }],
  };
  return { ...thread, turns: [turn, ...thread.turns.slice(start)] };
}
