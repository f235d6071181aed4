import { createHash } from 'node:crypto';
import type { ImportRequest, ImportResult, Inspection } from '../core/handoff.js';
import { jsonBytes } from '../core/jsonBytes.js';
import { withoutReplaced } from '../core/model/changes.js';
import { markOf, type Origin } from '../core/model/origin.js';
import type { SessionEvent } from '../core/model/session.js';
import { hashesIn } from '../vault/needed.js';
import type { StagedPacks } from '../vault/stagedPack.js';
import { FrameType } from '../vault/types.js';
import type { RawEntry } from './decode.js';
import { ImportedIds } from './importedIds.js';
import { ImportThread } from './importThread.js';
import { mergeFields, type FieldMerge } from './mergeFields.js';
import type { SessionSink, Unknown } from './readSession.js';
import type {
  PartEntry,
  RecordsEntry,
  SessionEntry,
  SnapshotEntry,
  ThreadEntry,
} from './schemas.js';
import type { ImportTarget } from './target.js';
import { rawSnapshotSchema, UnknownData } from './unknownData.js';

export interface ImportOptions {
  readonly target: ImportTarget;
  /** Where frames are made ready. */
  readonly folder: string;
  /** Masks secrets of known kinds in a record, as on the way in from an agent. */
  readonly redact: ((record: Uint8Array) => Uint8Array) | undefined;
  /** URI of the folder or workspace that the session is to belong to. */
  readonly workspace: string | undefined;
  readonly takeTheirs: ImportRequest['takeTheirs'];
}

/** Turns what a file holds into frames of the vault, as they are to be taken in. */
export class SessionImport implements SessionSink {
  private ids: ImportedIds | undefined;
  private staged: StagedPacks | undefined;
  private entry: SessionEntry | undefined;
  private readonly threads = new Map<string, ImportThread>();
  private readonly tops: string[] = [];
  private current: ImportThread | undefined;
  /** Hashes of the parts here, by their names in the file. */
  private readonly parts = new Map<string, string>();
  /** How many contents each part names, by its hash here. */
  private readonly contents = new Map<string, number>();
  private readonly unknownData = new UnknownData();
  private added = { snapshots: 0, contents: 0 };

  constructor(private readonly options: ImportOptions) {}

  session(entry: SessionEntry, unknown: Unknown): void {
    this.entry = entry;
    this.ids = new ImportedIds(entry.id, entry.signedBy);
    const { target, folder } = this.options;
    this.staged = target.stage(folder, this.ids.session);
    this.unknownData.session(unknown);
  }

  async thread(entry: ThreadEntry, unknown: Unknown): Promise<void> {
    await this.current?.finish();
    const ids = this.known();
    const id = ids.thread(entry.id);
    const parent = entry.parent === undefined ? undefined : ids.thread(entry.parent);
    const { packs } = this;
    const { target } = this.options;
    this.current = new ImportThread(id, parent, entry, target, (payload) =>
      packs.add({ type: FrameType.records, payload }),
    );
    this.threads.set(entry.id, this.current);
    if (parent === undefined) this.tops.push(id);
    this.unknownData.thread(id, unknown);
    if (!this.current.isNew) return;
    // Its agent has no file of it here.
    const event = { schemaVersion: 1, thread: id, at: Date.now(), state: 'gone' };
    await packs.add({ type: FrameType.thread, payload: jsonBytes(event) });
  }

  async records(run: RecordsEntry, records: readonly Uint8Array[]): Promise<void> {
    const { redact } = this.options;
    await this.threads.get(run.thread)?.add(run, redact ? records.map(redact) : records);
  }

  async blob(id: string, bytes: Uint8Array): Promise<void> {
    await this.current?.finish();
    if (await this.keeps(id)) return;
    this.added.contents += 1;
    await this.packs.add({ type: FrameType.blob, payload: bytes });
  }

  async part(entry: PartEntry, raw: unknown): Promise<void> {
    const bytes = jsonBytes(entry.part === 'changes' ? withoutReplaced(raw) : raw);
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.parts.set(entry.id, hash);
    this.contents.set(hash, hashesIn(bytes).length);
    if (await this.keeps(hash)) return;
    await this.packs.add({ type: FrameType.blob, payload: bytes });
  }

  async snapshot(snapshot: SnapshotEntry['snapshot'], raw: unknown): Promise<void> {
    await this.current?.finish();
    const ids = this.known();
    const id = await this.idFor(snapshot);
    if (id === undefined) return;
    const part = (name: string | undefined): string | undefined => this.parts.get(name ?? '');
    const { editors, workbench, changes, environment } = snapshot.parts;
    const unknown = rawSnapshotSchema.parse(raw);
    const here = {
      // What this version does not know stays in it.
      ...unknown,
      schemaVersion: 1,
      id,
      sessionId: ids.session,
      parts: {
        ...unknown.parts,
        editors: part(editors),
        workbench: part(workbench),
        changes: part(changes),
        environment: part(environment),
      },
      threads: snapshot.threads.map(({ id: thread, generation, records }, at) => ({
        ...unknown.threads[at],
        id: ids.thread(thread),
        generation: this.threads.get(thread)?.generation(generation) ?? generation,
        records,
      })),
    };
    this.added.snapshots += 1;
    const frame = { type: FrameType.snapshot, sessionId: ids.session, payload: jsonBytes(here) };
    await this.packs.add(frame);
  }

  /** Undefined: it is here. One that is here with fewer contents, such as from a file without any, does not count. */
  private async idFor(snapshot: SnapshotEntry['snapshot']): Promise<string | undefined> {
    const { target } = this.options;
    const ids = this.known();
    const id = ids.snapshot(snapshot.id);
    if (!target.hasSnapshot(id)) return id;
    const parts = Object.values(snapshot.parts).flatMap((name) => this.parts.get(name ?? '') ?? []);
    const contents = parts.reduce((sum, part) => sum + (this.contents.get(part) ?? 0), 0);
    if (contents <= (await target.contents(id))) return undefined;
    const fuller = ids.snapshot([snapshot.id, ...parts].join('\0'));
    return target.hasSnapshot(fuller) ? undefined : fuller;
  }

  other(entry: RawEntry): void {
    this.unknownData.entry(entry);
  }

  /**
   * Says what the session is, and lets everything that was staged count.
   *
   * @param trust whether the signing key was known here
   */
  async finish(
    inspection: Inspection,
    trust: Origin['trust'],
  ): Promise<Omit<ImportResult, 'inspection'>> {
    await this.current?.finish();
    const { packs } = this;
    const { target } = this.options;
    const ids = this.known();
    const origin = this.originOf(inspection, trust);
    const before = target.origin(ids.session);
    // What an older file says of the session was overtaken; what it holds beyond the newer one is added.
    const isOlder = before !== undefined && inspection.createdAt < before.file.createdAt;
    const { set, conflicts } = isOlder ? nothing : this.changesSince(before);
    const isDeleted = target.isDeleted(ids.session);
    const added = {
      ...this.added,
      threads: [...this.threads.values()].filter(({ isNew }) => isNew).length,
      records: [...this.threads.values()].reduce((sum, thread) => sum + thread.added, 0),
    };
    const isSame =
      before !== undefined &&
      !isDeleted &&
      Object.keys(set).length === 0 &&
      Object.values(added).every((count) => count === 0);
    const mark = markOf(before ?? origin);
    if (isSame) {
      return { outcome: 'unchanged', sessionId: ids.session, origin: mark, added, conflicts };
    }
    const event: SessionEvent = {
      schemaVersion: 1,
      sessionId: ids.session,
      at: Date.now(),
      workspace: before === undefined ? this.options.workspace : undefined,
      joins: this.tops,
      origin: isOlder ? undefined : origin,
      set: isDeleted ? { ...set, deleted: false } : set,
    };
    await packs.add({
      type: FrameType.session,
      sessionId: ids.session,
      payload: jsonBytes(event),
    });
    await packs.adopt();
    const outcome = before === undefined ? 'new' : 'updated';
    return { outcome, sessionId: ids.session, origin: mark, added, conflicts };
  }

  private originOf({ author, createdAt, root }: Inspection, trust: Origin['trust']): Origin {
    const entry = this.saidHere();
    const { id, title, goal, status, tags, createdAt: begun, lineage = [] } = entry;
    return {
      from: author.name,
      key: author.fingerprint,
      trust,
      session: id,
      importedAt: Date.now(),
      file: { createdAt, root },
      said: { title, goal, status, tags, createdAt: begun },
      lineage: [...lineage, id],
      rootCommit: entry.project?.rootCommit,
      unknown: this.unknownData.value,
    };
  }

  /** What the sender changed since the last import; what was changed here as well stays as it is. */
  private changesSince(before: Origin | undefined): FieldMerge {
    const now = this.options.target.session(this.known().session);
    return mergeFields(this.saidHere(), before?.said, now, this.options.takeTheirs);
  }

  /** Lets go of what was staged and does not count. */
  async close(): Promise<void> {
    await this.staged?.close();
  }

  private keeps(hash: string): Promise<boolean> {
    return this.options.target.keeps(hash, this.known().session);
  }

  private get packs(): StagedPacks {
    if (!this.staged) throw new Error('The session comes first.');
    return this.staged;
  }

  private known(): ImportedIds {
    if (!this.ids) throw new Error('The session comes first.');
    return this.ids;
  }

  private saidHere(): SessionEntry {
    if (!this.entry) throw new Error('The session comes first.');
    return this.entry;
  }
}

const nothing: FieldMerge = { set: {}, conflicts: [], differences: [] };
