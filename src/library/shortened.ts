import { beginArgv } from '../agents/begin.js';
import { BRIEF_TOKENS, makeBrief, type BriefRequest } from '../core/brief/brief.js';
import { sizeOf, tailOf, tailStart } from '../core/convert/tail.js';
import type { CountTokens } from '../core/convert/window.js';
import { ExpectedError } from '../core/errors.js';
import { threadId } from '../core/model/ids.js';
import type { ConversionReport } from '../core/model/conversion.js';
import type { Thread } from '../core/model/thread.js';
import type { Mask } from './redaction/handoffMask.js';

/** What a brief tells beside the conversation. */
export type About = Pick<BriefRequest, 'session' | 'changes' | 'author'>;

/** What a brief is made with. */
export interface BriefMeans {
  readonly about: About;
  readonly count: CountTokens;
  /** A brief goes to another agent, and from there to another company. */
  readonly mask: Mask;
}

export interface End {
  readonly thread: Thread;
  /** Turns that a summary stands for. */
  readonly left: number;
}

/**
 * The end of a thread that fits into so many tokens, which begins with a prompt, after a brief of what came before
 * it. All of it where it fits.
 *
 * @throws ExpectedError `tailTooSmall`
 */
export function endOf(thread: Thread, room: number, means: BriefMeans): End {
  const { count } = means;
  if (sizeOf(thread, room, count).fits) return { thread, left: 0 };
  const summary = Math.min(BRIEF_TOKENS, Math.floor(room / 4));
  const left = tailStart(thread.turns, room - summary, count);
  if (left === thread.turns.length) {
    throw new ExpectedError(
      'tailTooSmall',
      'Not even the last prompt and what follows it fit into {0} tokens.',
      [room],
      { next: 'Allow more tokens, or continue with a brief.' },
    );
  }
  const earlier = { ...thread, turns: thread.turns.slice(0, left) };
  const text = briefOf(earlier, means, summary);
  return { thread: tailOf(thread, left, text), left };
}

export interface Beginning {
  /** The first prompt of a new conversation. */
  readonly prompt: string;
  /** The argv that begins it; empty where the agent takes no first prompt from its command. */
  readonly command: readonly string[];
  readonly report: ConversionReport;
}

/** A new conversation that begins with a brief of a thread. */
export function beginWithBrief(
  thread: Thread,
  agent: string,
  means: BriefMeans,
  tokens?: number,
): Beginning {
  const text = briefOf(thread, means, tokens);
  const line = {
    fate: 'rewritten',
    what: 'turn',
    count: thread.turns.length,
    why: 'briefed',
  } as const;
  const report = { from: thread.agent, to: agent, lines: [line] };
  return { prompt: text, command: beginArgv(agent, text) ?? [], report };
}

/** Masked before it is shortened: half of a secret is not found any more. */
function briefOf(thread: Thread, { about, count, mask }: BriefMeans, tokens?: number): string {
  const request = mask({ ...about, thread });
  return makeBrief({ ...request, more: [readMore(thread)] }, count, tokens).text;
}

const readMore = ({ agent, nativeId }: Thread): string =>
  `keepthread thread show ${threadId(agent, nativeId)}`;
