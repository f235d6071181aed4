import { createHash } from 'node:crypto';
import { changesSchema, withoutReplaced, type Changes } from '../core/model/changes.js';
import { editorsSchema } from '../core/model/editors.js';
import type { SessionSummary } from '../core/model/session.js';
import type { Snapshot } from '../core/model/snapshot.js';
import { uriPath } from '../core/restore/places.js';
import { blobEntries } from './blobs.js';
import { keptUnknown, rawSnapshotSchema } from './unknownData.js';
import type { ManifestFacts } from './encode.js';
import { threadEntries, threadNames, type ThreadTally } from './exportThreads.js';
import { select, type ChosenSnapshot } from './selection.js';
import { patchSections } from '../core/patchSections.js';
import { withBlobs } from './refs.js';
import { snapshotPartsShape, type ManifestEntry, type SessionEntry } from './schemas.js';
import type { Sharing } from './sharing.js';
import type { ExportChoice } from '../core/handoff.js';
import type { SessionSource } from './source.js';

export interface ExportRequest {
  readonly sessionId: string;
  readonly choice: ExportChoice;
  readonly project?: SessionEntry['project'];
  readonly author: ManifestEntry['author'];
  readonly tool: ManifestEntry['tool'];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

type PartName = keyof Snapshot['parts'];
const partNames: readonly PartName[] = ['editors', 'workbench', 'changes', 'environment'];

/**
 * A session as the entries of a file. Reads as it goes and keeps no content; what it counted on the way
 * is in {@link SessionExport.facts} once all entries were taken.
 */
export class SessionExport {
  private readonly tally: ThreadTally = { threads: 0, records: 0 };
  private snapshots = 0;
  private blobs = 0;
  /** Parts of an imported session that this version does not know. */
  private unknownParts = 0;
  /** Names of the parts in the file, by their names in the vault. */
  private readonly parts = new Map<string, string>();
  private readonly sent = new Set<string>();
  private bases: ManifestEntry['bases'] = [];
  private readonly decoder = new TextDecoder();

  constructor(
    private readonly source: SessionSource,
    private readonly sharing: Sharing,
    private readonly request: ExportRequest,
  ) {}

  /**
   * Threads come first: a secret gets its number where it is met first, and a conversation only grows at
   * its end, so a later export of the same session numbers them alike.
   *
   * @throws ExpectedError `sessionMissing`, `snapshotMissing`, `threadMissing`, `notScanned`
   */
  async *entries(): AsyncGenerator<object, void, undefined> {
    const { choice, sessionId } = this.request;
    const { session, snapshots, threads, wanted } = await select(this.source, sessionId, choice);
    const total = threads.length + snapshots.length;
    let done = 0;
    const step = (): void => {
      this.request.signal?.throwIfAborted();
      this.request.onProgress?.(done++, total);
    };
    this.sharing.at({ field: 'session' });
    const unknown = keptUnknown(this.source.origin(sessionId));
    yield this.sharing.value({ ...unknown.session, ...this.sessionEntry(session) }) as object;
    const { source, sharing, tally } = this;
    const names = threadNames(threads, sharing);
    const at = { source, sharing, tally, names };
    for (const thread of threads) {
      step();
      const runs = wanted.get(thread.id) ?? [];
      if (runs.length === 0) continue;
      this.sharing.at({ thread: thread.title });
      for await (const entry of threadEntries(thread, runs, at)) {
        this.request.signal?.throwIfAborted();
        const kept = 'generations' in entry ? unknown.threads.get(thread.id) : undefined;
        yield kept ? { ...(this.sharing.value(kept) as object), ...entry } : entry;
      }
    }
    for (const snapshot of snapshots) {
      step();
      yield* this.snapshotEntries(snapshot, names);
    }
    for (const entry of unknown.entries) {
      if ('kind' in entry && entry.kind === 'part') this.unknownParts += 1;
      yield this.sharing.value(entry) as object;
    }
    step();
  }

  facts(): ManifestFacts {
    const { choice, author, tool } = this.request;
    const { from, to, files, images, toolOutput } = choice;
    return {
      tool,
      createdAt: Date.now(),
      author: { ...author, name: this.sharing.value(author.name) as string | undefined },
      contents: {
        sessions: 1,
        snapshots: this.snapshots,
        parts: new Set(this.parts.values()).size + this.unknownParts,
        blobs: this.blobs,
        ...this.tally,
      },
      chosen: {
        from,
        to,
        files,
        images,
        toolOutputs: toolOutput === undefined ? 'whole' : 'bounded',
      },
      bases: this.bases,
      redaction: this.sharing.report(),
    };
  }

  private sessionEntry(session: SessionSummary): SessionEntry {
    const { id, title, goal, status, tags, createdAt, updatedAt, workspace } = session;
    const { project } = this.request;
    return {
      kind: 'session',
      id,
      signedBy: this.request.author.key,
      title,
      goal,
      status,
      tags: [...tags],
      createdAt,
      updatedAt,
      workspace,
      project,
      lineage: this.source.origin(id)?.lineage,
    };
  }

  private async *snapshotEntries(
    { json, snapshot }: ChosenSnapshot,
    names: ReadonlyMap<string, string>,
  ): AsyncGenerator<object, void, undefined> {
    const { parts: named, threads, ...rest } = rawSnapshotSchema.parse(json);
    const parts: Partial<Record<PartName, string>> = {};
    for (const name of partNames) {
      const hash = snapshot.parts[name];
      if (hash === undefined) continue;
      if (!this.parts.has(`${name} ${hash}`)) yield* this.partEntries(name, hash);
      const id = this.parts.get(`${name} ${hash}`);
      if (id !== undefined) parts[name] = id;
    }
    this.sharing.at({ field: 'snapshot' });
    const share = (value: object): object => this.sharing.value(value) as object;
    const points = threads.flatMap((point) => {
      const id = names.get(point.id);
      return id === undefined ? [] : [{ ...share({ ...point, id: '' }), id }];
    });
    const unknown = Object.entries(named).filter(([name]) => !isPartName(name));
    const entry = {
      ...share({ ...rest, schemaVersion: undefined }),
      parts: { ...share(Object.fromEntries(unknown)), ...parts },
      threads: points,
    };
    yield { kind: 'snapshot', snapshot: entry };
    this.snapshots += 1;
  }

  private async *partEntries(
    name: PartName,
    hash: string,
  ): AsyncGenerator<object, void, undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.source.blob(hash);
    } catch {
      this.sharing.leaveOut(name, 'missing');
      return;
    }
    const read: unknown = JSON.parse(this.decoder.decode(bytes));
    const json = name === 'changes' ? withoutReplaced(read) : read;
    const blobs = new Map<string, string>();
    if (name === 'editors') yield* this.drafts(json, blobs);
    if (name === 'changes') yield* this.changes(json, blobs);
    this.sharing.at({ field: name });
    const value = this.sharing.value(withBlobs(json, blobs));
    const id = sha256(Buffer.from(JSON.stringify(value)));
    this.parts.set(`${name} ${hash}`, id);
    if (this.sent.has(`${name} ${id}`)) return;
    this.sent.add(`${name} ${id}`);
    yield { kind: 'part', id, part: name, value };
  }

  private async *drafts(
    json: unknown,
    blobs: Map<string, string>,
  ): AsyncGenerator<object, void, undefined> {
    const editors = editorsSchema.safeParse(json);
    for (const { text, place } of editors.data?.drafts ?? []) {
      yield* this.content(text, place.path ?? place.uri, blobs, (path, bytes) => {
        const draft: unknown = JSON.parse(this.decoder.decode(bytes));
        if (typeof draft !== 'string') return undefined;
        return this.sharing.allowsFile(path, Buffer.from(draft)) ? bytes : undefined;
      });
    }
  }

  private async *changes(
    json: unknown,
    blobs: Map<string, string>,
  ): AsyncGenerator<object, void, undefined> {
    const changes = changesSchema.safeParse(json);
    if (!changes.success) return;
    this.noteBases(changes.data);
    const whole = (what: string, bytes: Uint8Array): Uint8Array | undefined =>
      this.sharing.allowsFile(what, bytes) ? bytes : undefined;
    const patch = (_: string, bytes: Uint8Array): Uint8Array | undefined => this.patch(bytes);
    for (const { staged, unstaged, files, untracked } of changes.data.repositories) {
      if (staged !== undefined) yield* this.content(staged, 'staged changes', blobs, patch);
      if (unstaged !== undefined) yield* this.content(unstaged, 'unstaged changes', blobs, patch);
      for (const { path, content } of [...files, ...untracked]) {
        if (content !== undefined) yield* this.content(content, path, blobs, whole);
      }
    }
  }

  /** A patch without the files in which there are secrets; undefined when nothing is left of it. */
  private patch(bytes: Uint8Array): Uint8Array | undefined {
    const kept = patchSections(bytes).filter(({ path, isBinary, bytes: section }) =>
      isBinary
        ? this.request.choice.images || this.sharing.leaveOut(path, 'binary')
        : this.sharing.allowsFile(path, section),
    );
    return kept.length === 0 ? undefined : Buffer.concat(kept.map((section) => section.bytes));
  }

  /** Sends a content if it may go, once, and notes under which name; `''`: it does not go. */
  private async *content(
    hash: string,
    what: string,
    blobs: Map<string, string>,
    share: (what: string, bytes: Uint8Array) => Uint8Array | undefined,
  ): AsyncGenerator<object, void, undefined> {
    const shared = await this.shared(hash, what, share);
    if (shared === undefined) {
      blobs.set(hash, '');
      return;
    }
    const id = sha256(shared);
    blobs.set(hash, id);
    if (this.sent.has(id)) return;
    this.sent.add(id);
    this.blobs += 1;
    yield* blobEntries(id, shared);
  }

  private async shared(
    hash: string,
    what: string,
    share: (what: string, bytes: Uint8Array) => Uint8Array | undefined,
  ): Promise<Uint8Array | undefined> {
    if (!this.request.choice.files) {
      this.sharing.leaveOut(what, 'notAsked');
      return undefined;
    }
    let bytes: Uint8Array;
    try {
      bytes = await this.source.blob(hash);
    } catch {
      this.sharing.leaveOut(what, 'missing');
      return undefined;
    }
    return share(what, bytes);
  }

  /** Those of the newest snapshot stay. */
  private noteBases(changes: Changes): void {
    const bases = changes.repositories.map(({ root, remote, branch, head }) => ({
      name: uriPath(root).replace(/\/+$/, '').split('/').at(-1) ?? '',
      remote,
      branch,
      head,
    }));
    this.bases = this.sharing.value(bases) as ManifestEntry['bases'];
  }
}

const isPartName = (name: string): name is PartName => Object.hasOwn(snapshotPartsShape, name);

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
