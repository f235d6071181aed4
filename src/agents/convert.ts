import { randomUUID } from 'node:crypto';
import type { ConvertOptions } from '../core/convert/conversation.js';
import { prepare } from '../core/convert/prepare.js';
import { ExpectedError } from '../core/errors.js';
import type { ConversionReport } from '../core/model/conversion.js';
import type { Thread } from '../core/model/thread.js';
import type { Converted, NewSession, OwnRecords, StoreFacts, Target } from './target.js';

export interface ConversionPlace {
  /** The working folder in which the target goes on, absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined;
  /** The id of the new session; absent: a new one. */
  readonly sessionId?: string | undefined;
}

export interface Origin {
  readonly thread: Thread;
  /** Its own records, where they are at hand: for the same agent they are better than any conversion. */
  readonly records?: readonly Uint8Array[] | undefined;
}

/**
 * What a conversation would be in another agent, or anew in its own: the files, the argv and the
 * report. Reads what the target's store says, writes nothing.
 *
 * @throws ExpectedError `emptyThread` when there is nothing to go on with
 */
export async function convertThread(
  origin: Origin,
  target: Target,
  place: ConversionPlace,
  options: ConvertOptions = {},
): Promise<Converted> {
  const { env, userHome } = place;
  const home = target.home({ env, userHome });
  const facts = (await target.look?.(home, place.cwd, { env, userHome })) ?? {};
  const session = newSession(target, place, facts);
  const made = filesOf(origin, target, session, options);
  const { id: nativeId, cwd } = session;
  const command = target.resume(session);
  const importer = target.importer?.(session);
  return { agent: target.agent, nativeId, home, cwd, env, userHome, importer, command, ...made };
}

function newSession(target: Target, place: ConversionPlace, facts: StoreFacts): NewSession {
  const { cwd, now = Date.now(), sessionId } = place;
  const id = sessionId ?? target.newId(randomUUID(), now);
  return { id, cwd, now, facts, uuid: () => randomUUID() };
}

function filesOf(
  { thread, records }: Origin,
  target: Target,
  session: NewSession,
  options: ConvertOptions,
): Pick<Converted, 'files' | 'report' | 'expected'> {
  if (thread.turns.length === 0) throw emptyThread();
  if (thread.agent === target.agent && records !== undefined) {
    const own = {
      nativeId: thread.nativeId,
      title: thread.title,
      startedAt: thread.turns[0]?.at,
      version: thread.version,
      records,
      turns: options.turns,
    };
    const files = target.rewrite?.(own, session);
    if (files !== undefined) {
      const expected = Math.min(thread.turns.length, options.turns ?? Infinity);
      return { files, report: ownReport(thread, own), expected };
    }
  }
  const { conversation, report } = prepare(thread, target.agent, target.takes, options);
  if (conversation.messages.length === 0) throw emptyThread();
  const { messages: expected } = conversation;
  return { files: target.write(conversation, session), report, expected };
}

/** The agent's own records stay what they are. */
function ownReport(thread: Thread, { records, turns }: OwnRecords): ConversionReport {
  const left = turns === undefined ? 0 : Math.max(0, thread.turns.length - turns);
  return {
    from: thread.agent,
    to: thread.agent,
    lines: [
      { fate: 'kept', what: 'record', count: records.length, why: 'ownRecords' },
      ...(left === 0
        ? []
        : [{ fate: 'dropped', what: 'turn', count: left, why: 'afterFork' } as const]),
    ],
  };
}

export const emptyThread = (): ExpectedError =>
  new ExpectedError('emptyThread', 'This conversation holds nothing to go on with.');
