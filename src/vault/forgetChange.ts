import type { Forgotten } from '../core/forgetting.js';
import type { ThreadEvent } from '../core/model/records.js';
import { batchHeaderSchema } from '../core/model/records.js';
import type { SessionEvent } from '../core/model/session.js';
import { batchThread, decodeBatch, encodeBatch } from './batch.js';
import type { NewFrame } from './frame.js';
import { deletes, forgets, hashesIn, namedBy, threadOf } from './needed.js';
import { holdsOne, mask, needlesFor } from './needles.js';
import type { ProjectView } from './openView.js';
import type { Change } from './rewrite.js';
import { withPayload } from './rewrite.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** What becomes of each frame of a vault when something is forgotten. */
export const changeFor = (
  what: Forgotten,
  view: ProjectView,
  signal: AbortSignal | undefined,
): Promise<Change> =>
  'session' in what
    ? changeForSession(view, what)
    : changeForText(view, needlesFor(what.text), signal);

/** What is noted, so that neither an old copy nor the agents' own files bring back what is not wanted. */
export function wordsOn(what: Forgotten, view: ProjectView): readonly NewFrame[] {
  if (!('session' in what)) return [];
  const { index } = view;
  const { session: sessionId } = what;
  const at = Date.now();
  const event: SessionEvent = { schemaVersion: 1, sessionId, at, set: { deleted: true } };
  const isSaid = index.deletedSessions().has(sessionId) || !index.session(sessionId);
  return [
    ...(isSaid ? [] : [{ type: FrameType.session, sessionId, payload: toBytes(event) }]),
    ...onlyThreadsOf(view, what).map((thread) => {
      const forgotten: ThreadEvent = { schemaVersion: 1, thread, at, state: 'forgotten' };
      return { type: FrameType.thread, payload: toBytes(forgotten) };
    }),
  ];
}

/** A session, as it is to be forgotten. */
type Session = Extract<Forgotten, { readonly session: string }>;

/** The threads that no other session has. */
function onlyThreadsOf({ index }: ProjectView, { session, threads = [] }: Session): string[] {
  const others = index.sessions().filter(({ id }) => id !== session);
  const shared = new Set(others.flatMap(({ id }) => index.threads(id).map((thread) => thread.id)));
  const named = threads.flatMap((id) => withSubagents(index, id));
  const all = new Set([...index.threads(session).map(({ id }) => id), ...named]);
  return [...all].filter((id) => !shared.has(id));
}

const withSubagents = (index: ProjectView['index'], id: string): string[] =>
  index.thread(id)
    ? [id, ...index.subagents(id).flatMap((subagent) => withSubagents(index, subagent.id))]
    : [];

async function changeForSession(view: ProjectView, what: Session): Promise<Change> {
  const { session } = what;
  const forgotten = new Set([...view.index.forgottenThreads(), ...onlyThreadsOf(view, what)]);
  const contents = await contentsOnlyOf(view, session);
  return (frame) => {
    const isGone =
      (frame.sessionId === session && !deletes(frame)) ||
      (frame.type === FrameType.records && forgotten.has(batchThread(frame.payload) ?? '')) ||
      (frame.type === FrameType.thread &&
        forgotten.has(threadOf(frame) ?? '') &&
        !forgets(frame)) ||
      (frame.type === FrameType.blob && contents.has(frame.hash));
    return isGone ? undefined : frame;
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

async function changeForText(
  view: ProjectView,
  needles: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<Change> {
  const renamed = await maskedParts(view, needles, signal);
  return (frame) => {
    switch (frame.type) {
      case FrameType.blob: {
        if (!holdsOne(frame.payload, needles)) return frame;
        return renamed.has(frame.hash)
          ? withPayload(frame, mask(frame.payload, needles))
          : undefined;
      }
      case FrameType.records:
        return maskRecords(frame, needles);
      case FrameType.snapshot:
        return changeTo(frame, rename(mask(frame.payload, needles), renamed));
      default:
        return changeTo(frame, mask(frame.payload, needles));
    }
  };
}

/** Parts of snapshots that hold the text, by hash, each with the hash that it will have. */
async function maskedParts(
  { vault, index }: ProjectView,
  needles: readonly Buffer[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const renamed = new Map<string, string>();
  const looked = new Set<string>();
  for (const session of index.sessionIds()) {
    for (const { id } of index.snapshots(session)) {
      signal?.throwIfAborted();
      const ref = index.snapshotRef(id);
      if (!ref) continue;
      for (const hash of hashesIn((await vault.readFrame(ref)).payload)) {
        const part = index.blobRef(hash);
        if (!part || looked.has(hash)) continue;
        looked.add(hash);
        const frame = await vault.readFrame(part);
        const masked = mask(frame.payload, needles);
        if (masked !== frame.payload) renamed.set(hash, withPayload(frame, masked).hash);
      }
    }
  }
  return renamed;
}

function maskRecords(frame: Frame, needles: readonly Buffer[]): Frame {
  if (!holdsOne(frame.payload, needles)) return frame;
  const { header, records } = decodeBatch(frame.payload);
  const masked = records.map((record) => mask(record, needles));
  const head = new TextDecoder().decode(mask(toBytes(header), needles));
  return withPayload(frame, encodeBatch(batchHeaderSchema.parse(JSON.parse(head)), masked));
}

function rename(payload: Uint8Array, renamed: ReadonlyMap<string, string>): Uint8Array {
  const found = hashesIn(payload).filter((hash) => renamed.has(hash));
  if (found.length === 0) return payload;
  let text = new TextDecoder().decode(payload);
  for (const hash of found) text = text.replaceAll(hash, renamed.get(hash) ?? hash);
  return toUtf8(text);
}

const changeTo = (frame: Frame, payload: Uint8Array): Frame =>
  payload === frame.payload ? frame : withPayload(frame, payload);

const toUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const toBytes = (value: unknown): Uint8Array => toUtf8(JSON.stringify(value));
