import { join } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { Forgotten } from '../core/forgetting.js';
import type { ThreadEvent } from '../core/model/records.js';
import { batchHeaderSchema } from '../core/model/records.js';
import type { SessionEvent } from '../core/model/session.js';
import { backUp, letGo } from './backup.js';
import { batchThread, decodeBatch, encodeBatch } from './batch.js';
import type { Io } from './io.js';
import { withLock } from './lock.js';
import { holdsOne, mask, needlesFor, SHORTEST_TEXT } from './needles.js';
import { deletes, forgets, hashesIn, namedBy, threadOf } from './needed.js';
import type { ProjectView } from './openView.js';
import { openView } from './openView.js';
import { PackFolder } from './packFolder.js';
import type { Change } from './rewrite.js';
import {
  closedFiles,
  damaged,
  isChanged,
  removeLeftovers,
  rewrite,
  withPayload,
} from './rewrite.js';
import { removeStaleImages } from './search/imageFolder.js';
import { closePacks } from './seal.js';
import { loadSql } from './sqlite.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

export interface ForgetReport {
  /** Records, snapshots and contents that are gone, or that have asterisks where the text was. */
  readonly removed: number;
  readonly masked: number;
  /** Files of the vault that were written anew. */
  readonly files: number;
}

interface ForgetOptions {
  /** The project's folder, `<store>/projects/<project key>`. */
  readonly folder: string;
  /** Bytes of sql.js's `sql-wasm.wasm`, or its path. */
  readonly wasm: Uint8Array | string;
  readonly io: Io;
}

/** Windows may save what is to be forgotten while it is being forgotten. */
const ROUNDS = 5;

/** So long a backup that is being made is waited for. */
const BACKUP_WAIT_MS = 60_000;

/**
 * Takes something out of a project's vault, so that no file of it holds the bytes any more. Every window
 * learns of it at its next look at the vault. Backups are for {@link forgetInBackups}; what the agents keep
 * themselves stays theirs.
 *
 * Of a session go its events, its snapshots, the content that only these name, and the conversations that no
 * other session has; what remains is that they are not wanted. A text gets asterisks in its place in
 * conversations, titles and lists; files and drafts that hold it go as a whole, since asterisks in them would
 * be restored.
 *
 * To be called under the vault's lock.
 *
 * @throws ExpectedError `damaged`, `textTooShort`
 */
export async function forget(what: Forgotten, options: ForgetOptions): Promise<ForgetReport> {
  if ('text' in what && what.text.length < SHORTEST_TEXT) throw tooShort(what.text);
  const { folder, wasm, io } = options;
  const packs = new PackFolder(join(folder, 'packs'));
  const tally = { removed: 0, masked: 0, files: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    await packs.look((problem) => {
      throw damaged(problem);
    });
    await removeLeftovers(packs, io);
    const open = packs.names.filter((pack) => packs.place(pack)?.kind === 'open');
    await closePacks(packs, open, io);
    const view = await openView(folder, wasm, io);
    try {
      const [problem] = view.problems;
      if (problem) throw damaged(problem);
      if ('session' in what) {
        await sayForgotten(view, what.session, onlyThreadsOf(view, what.session));
      }
      const change = await changeFor(what, view);
      const files = await rewriteChanged(packs, io, change, tally);
      if (files === 0) break;
    } finally {
      await view.close();
    }
  }
  await removeStaleImages(folder, await loadSql(wasm), (pack) => packs.place(pack) !== undefined);
  return tally;
}

/**
 * Lets a backup's folder hold what the store holds now and nothing else: earlier backups hold what was forgotten.
 *
 * @throws ExpectedError `locked`
 */
export async function forgetInBackups(store: string, backups: string, now: number): Promise<void> {
  await backUp({ store, to: backups, now, rotate: false, waitMs: BACKUP_WAIT_MS });
  await withLock(join(backups, 'backup.lock'), { waitMs: BACKUP_WAIT_MS }, () =>
    letGo(backups, (times) => new Set([...times.keys()].slice(1))),
  );
}

async function rewriteChanged(
  packs: PackFolder,
  io: Io,
  change: Change,
  tally: { removed: number; masked: number; files: number },
): Promise<number> {
  let files = 0;
  for (const file of closedFiles(packs).keys()) {
    if (!(await isChanged(packs, file, change))) continue;
    const counted = new Set<string>();
    const rewritten = await rewrite(io, packs, file, (frame) => {
      const after = change(frame);
      const place = `${frame.pack} ${frame.offset}`;
      if (after?.hash !== frame.hash && !counted.has(place)) {
        counted.add(place);
        tally[after ? 'masked' : 'removed'] += 1;
      }
      return after;
    });
    await rewritten.finish();
    await packs.look(() => undefined);
    files += 1;
  }
  tally.files += files;
  return files;
}

/** What forgetting would take out, without taking it out. */
export interface ForgetPreview {
  readonly removed: number;
  readonly masked: number;
  /** Size of these records, snapshots and contents. */
  readonly bytes: number;
}

/**
 * Counts what {@link forget} would change. Only reads.
 *
 * @throws ExpectedError `damaged`, `textTooShort`
 */
export async function previewForget(
  what: Forgotten,
  { folder, wasm }: Omit<ForgetOptions, 'io'>,
): Promise<ForgetPreview> {
  if ('text' in what && what.text.length < SHORTEST_TEXT) throw tooShort(what.text);
  const view = await openView(folder, wasm);
  try {
    const [problem] = view.problems;
    if (problem) throw damaged(problem);
    const change = await changeFor(what, view);
    const packs = new PackFolder(join(folder, 'packs'));
    await packs.look(() => undefined);
    const tally = { removed: 0, masked: 0, bytes: 0 };
    for (const pack of packs.names) {
      for await (const frame of packs.frames(pack, 0, () => undefined)) {
        const after = change(frame);
        if (after?.hash === frame.hash) continue;
        tally[after ? 'masked' : 'removed'] += 1;
        tally.bytes += frame.payload.length;
      }
    }
    return tally;
  } finally {
    await view.close();
  }
}

const changeFor = (what: Forgotten, view: ProjectView): Promise<Change> =>
  'session' in what
    ? changeForSession(view, what.session)
    : changeForText(view, needlesFor(what.text));

/** The threads that no other session has. */
function onlyThreadsOf({ index }: ProjectView, session: string): readonly string[] {
  const others = index.sessions().filter(({ id }) => id !== session);
  const shared = new Set(others.flatMap(({ id }) => index.threads(id).map((thread) => thread.id)));
  return index
    .threads(session)
    .map(({ id }) => id)
    .filter((id) => !shared.has(id));
}

async function changeForSession(view: ProjectView, session: string): Promise<Change> {
  const forgotten = new Set([...view.index.forgottenThreads(), ...onlyThreadsOf(view, session)]);
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

/** Notes that they are not wanted, so that neither an old copy nor the agents' own files bring them back. */
async function sayForgotten(
  { vault, index }: ProjectView,
  sessionId: string,
  threads: readonly string[],
): Promise<void> {
  const at = Date.now();
  const event: SessionEvent = { schemaVersion: 1, sessionId, at, set: { deleted: true } };
  const isSaid = index.deletedSessions().has(sessionId);
  const frames = [
    ...(isSaid || !index.session(sessionId)
      ? []
      : [{ type: FrameType.session, sessionId, payload: toBytes(event) }]),
    ...threads.map((thread) => {
      const forgotten: ThreadEvent = { schemaVersion: 1, thread, at, state: 'forgotten' };
      return { type: FrameType.thread, payload: toBytes(forgotten) };
    }),
  ];
  if (frames.length === 0) return;
  index.apply(await vault.append(frames), []);
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

async function changeForText(view: ProjectView, needles: readonly Buffer[]): Promise<Change> {
  const renamed = await maskedParts(view, needles);
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
): Promise<ReadonlyMap<string, string>> {
  const renamed = new Map<string, string>();
  for (const session of index.sessionIds()) {
    for (const { id } of index.snapshots(session)) {
      const ref = index.snapshotRef(id);
      if (!ref) continue;
      for (const hash of hashesIn((await vault.readFrame(ref)).payload)) {
        const part = index.blobRef(hash);
        if (!part || renamed.has(hash)) continue;
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

const tooShort = (text: string): ExpectedError =>
  new ExpectedError(
    'textTooShort',
    'A text of {0} characters is too short to be forgotten.',
    [text.length],
    {
      next: 'Name more of it: it would be found in what has nothing to do with it.',
    },
  );
