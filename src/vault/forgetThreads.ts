import { z } from 'zod';
import type { Forgotten } from '../core/forgetting.js';
import { sessionEventSchema } from '../core/model/session.js';
import { batchThread } from './batch.js';
import { forgets, jsonOf, threadOf } from './needed.js';
import type { ProjectView } from './openView.js';
import type { Change } from './rewrite.js';
import { withPayload } from './rewrite.js';
import type { SessionIndex } from './sessionIndex.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** A session or a conversation, as it is to be forgotten. */
type Whole = Exclude<Forgotten, { readonly text: string }>;

/**
 * The threads that go, subagents with the thread that started them: the one that is named, or those that no
 * session but the forgotten one has.
 */
export function threadsGoing({ index }: ProjectView, what: Whole): ReadonlySet<string> {
  if ('thread' in what) return new Set(withSubagents(index, what.thread));
  const { session, threads = [] } = what;
  const others = index.sessions().filter(({ id }) => id !== session);
  const shared = new Set(others.flatMap(({ id }) => index.threads(id).map((thread) => thread.id)));
  const named = threads.flatMap((id) => withSubagents(index, id));
  const all = [...index.threads(session).map(({ id }) => id), ...named];
  return new Set(all.filter((id) => !shared.has(id)));
}

const withSubagents = (index: SessionIndex, id: string): string[] =>
  index.thread(id)
    ? [id, ...index.subagents(id).flatMap((subagent) => withSubagents(index, subagent.id))]
    : [];

/**
 * Takes the records of threads out, and what was said of them; that they are forgotten stays. A session that was
 * named after one has no name then.
 */
export const withoutThreads =
  (threads: ReadonlySet<string>): Change =>
  (frame) => {
    switch (frame.type) {
      case FrameType.records:
        return threads.has(batchThread(frame.payload) ?? '') ? undefined : frame;
      case FrameType.thread:
        return threads.has(threadOf(frame) ?? '') && !forgets(frame) ? undefined : frame;
      case FrameType.session:
        return withoutName(frame, threads);
      default:
        return frame;
    }
  };

/**
 * A save says in one event which threads join a session and, when nobody has named it, its name after the first of
 * them. The event of an import says where the name is from; it is the sender's.
 */
function withoutName(frame: Frame, threads: ReadonlySet<string>): Frame {
  const json = jsonOf(frame.payload);
  const event = sessionEventSchema.safeParse(json).data;
  if (event === undefined || event.origin !== undefined || !event.set.title) return frame;
  const [named = ''] = event.joins ?? [];
  if (!threads.has(named)) return frame;
  // With what a newer version may have written beside it.
  const nameless = { ...fieldsSchema.parse(json), set: { ...event.set, title: '' } };
  return withPayload(frame, Buffer.from(JSON.stringify(nameless)));
}

const fieldsSchema = z.looseObject({});
