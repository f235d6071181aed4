import type { Forgotten } from '../core/forgetting.js';
import type { ThreadEvent } from '../core/model/records.js';
import type { SessionEvent } from '../core/model/session.js';
import { changeForText } from './forgetText.js';
import { threadsGoing, withoutThreads } from './forgetThreads.js';
import type { NewFrame } from './frame.js';
import { deletes, namedBy } from './needed.js';
import { needlesFor } from './needles.js';
import type { ProjectView } from './openView.js';
import type { Change } from './rewrite.js';
import { FrameType } from './types.js';

/** What becomes of each frame of a vault when something is forgotten. */
export async function changeFor(
  what: Forgotten,
  view: ProjectView,
  signal: AbortSignal | undefined,
): Promise<Change> {
  if ('text' in what) return changeForText(view, needlesFor(what.text), signal);
  const threads = threadsGoing(view, what);
  const change = withoutThreads(new Set([...view.index.forgottenThreads(), ...threads]));
  return 'session' in what ? changeForSession(view, what.session, change) : change;
}

/** What is noted, so that neither an old copy nor the agents' own files bring back what is not wanted. */
export function wordsOn(what: Forgotten, view: ProjectView): readonly NewFrame[] {
  if ('text' in what) return [];
  const at = Date.now();
  const deleted = 'session' in what ? wordsOnSession(what.session, view, at) : [];
  const threads = [...threadsGoing(view, what)].map((thread): NewFrame => {
    const parent = view.index.thread(thread)?.parent;
    const event: ThreadEvent = { schemaVersion: 1, thread, at, state: 'forgotten', parent };
    return { type: FrameType.thread, payload: toBytes(event) };
  });
  return [...deleted, ...threads];
}

function wordsOnSession(
  sessionId: string,
  { index }: ProjectView,
  at: number,
): readonly NewFrame[] {
  if (index.deletedSessions().has(sessionId) || !index.session(sessionId)) return [];
  const event: SessionEvent = { schemaVersion: 1, sessionId, at, set: { deleted: true } };
  return [{ type: FrameType.session, sessionId, payload: toBytes(event) }];
}

/** @param change what becomes of its conversations */
async function changeForSession(
  view: ProjectView,
  session: string,
  change: Change,
): Promise<Change> {
  const contents = await contentsOnlyOf(view, session);
  return (frame) => {
    const isGone =
      (frame.sessionId === session && !deletes(frame)) ||
      (frame.type === FrameType.blob && contents.has(frame.hash));
    return isGone ? undefined : change(frame);
  };
}

/** Hashes of what the session's snapshots name and no others do. */
async function contentsOnlyOf(view: ProjectView, session: string): Promise<ReadonlySet<string>> {
  const { index } = view;
  const idsOf = (id: string): readonly string[] => index.snapshots(id).map((one) => one.id);
  const own = await namedBy(view, new Set(idsOf(session)));
  const others = index.sessionIds().filter((id) => id !== session);
  const shared = await namedBy(view, new Set(others.flatMap(idsOf)));
  return new Set([...own].filter((hash) => !shared.has(hash)));
}

const toBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
