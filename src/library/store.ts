import type { BatchHeader, ThreadEvent } from '../core/model/records.js';
import type { SessionEvent } from '../core/model/session.js';
import type { z } from 'zod';
import { changesSchema } from '../core/model/changes.js';
import { editorsSchema } from '../core/model/editors.js';
import {
  snapshotSchema,
  workbenchSchema,
  type Snapshot,
  type SnapshotContent,
} from '../core/model/snapshot.js';
import { environmentSchema } from '../core/model/workbench.js';
import type { Problem } from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import { jsonBytes } from '../core/jsonBytes.js';
import { decodeBatch, encodeBatch } from '../vault/batch.js';
import type { CatchUpOptions, FrameTaker } from '../vault/catchUp.js';
import { applyAll, catchUp } from '../vault/catchUp.js';
import { oneAhead } from '../vault/oneAhead.js';
import { placed, type PlacedRecord } from '../vault/recordPlaces.js';
import { Scratch } from '../vault/scratch.js';
import type { SessionIndex } from '../vault/sessionIndex.js';
import type { StagedPacks } from '../vault/stagedPack.js';
import { FrameType, type Frame, type FrameRef } from '../vault/types.js';
import type { Vault } from '../vault/vault.js';
import { oneHome, type Homes } from './homes.js';
import { fillAnew, type Vaults } from './renewal.js';

const decoder = new TextDecoder();
const fromBytes = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));

export type VaultPlace = Pick<Vault, 'folder' | 'has' | 'isListed'>;

/** Adds to an index that is made anew what the packs alone do not say. */
export type Complete = (store: Store, signal: AbortSignal | undefined) => Promise<void>;

/** Something may be taken out of the vaults each time that the index was just made anew. */
const RENEWALS = 5;

/** Where the content of a session is kept. */
export interface Contents {
  /** Keeps bytes under their SHA-256 (hex), once. */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>;
  readonly putJson: (value: unknown) => Promise<string>;
}

/**
 * The vaults of a window's projects and their index as one: what is appended is in both. Each session, and each
 * conversation, is in the vault of the project that it belongs to.
 */
export class Store {
  private startedOver = 0;
  /** What is being filled to take the index's place. */
  private next: SessionIndex | undefined;
  /** Whether the index knows of what is not in the vaults any more. */
  private isStale = false;
  /** Reading goes on where it was, so it is done by one at a time. */
  private queue: Promise<unknown> = Promise.resolve();
  private readonly closing = new AbortController();
  private readonly scratch = new Scratch();
  private complete: Complete | undefined;
  /** What happens while the index is made anew is in both: it is not known which of them has read it. */
  private readonly indexes: FrameTaker = {
    apply: (frames, covered) => {
      this.next?.apply(frames, covered);
      return this.index.apply(frames, covered);
    },
  };

  constructor(
    private readonly vaults: Vaults,
    readonly index: SessionIndex,
    private readonly homes: Homes = oneHome,
  ) {}

  /** A newer version has written to the vault: this one reads what it knows. */
  get readOnly(): boolean {
    return this.vaults[0].readOnly;
  }

  /** Another number than before: what was known of the vaults' records may not be so any more. */
  get epoch(): number {
    return this.startedOver;
  }

  /** The vaults' folders, and which packs are in each; the one that is written to first. */
  get places(): readonly VaultPlace[] {
    return this.vaults;
  }

  appendSession(event: SessionEvent): Promise<void> {
    const { sessionId } = event;
    return this.append(this.vaultOf(sessionId), FrameType.session, event, sessionId);
  }

  appendSnapshot(snapshot: Snapshot): Promise<void> {
    const { sessionId } = snapshot;
    return this.append(this.vaultOf(sessionId), FrameType.snapshot, snapshot, sessionId);
  }

  appendThreadEvent(event: ThreadEvent): Promise<void> {
    return this.append(this.vaultOfThread(event.thread), FrameType.thread, event);
  }

  async appendRecords(records: readonly Uint8Array[], header: BatchHeader): Promise<void> {
    const vault = this.vaultOfThread(header.parent ?? header.thread, header.cursor.cwd);
    const payload = encodeBatch(header, records, (size) => this.scratch.take(size));
    try {
      applyAll(this.indexes, await vault.append([{ type: FrameType.records, payload }]));
    } finally {
      this.scratch.give(payload);
    }
  }

  /** Where what a session names is kept: in its own vault, so that it is whole there. */
  contentsOf(sessionId: string): Contents {
    return this.contentsIn(this.vaultOf(sessionId));
  }

  /** As {@link Contents}, of no session that is known yet. */
  putBlob(bytes: Uint8Array): Promise<string> {
    return this.contentsIn(this.vaults[0]).putBlob(bytes);
  }

  putJson(value: unknown): Promise<string> {
    return this.contentsIn(this.vaults[0]).putJson(value);
  }

  private contentsIn(vault: Vault): Contents {
    const putBlob = async (bytes: Uint8Array): Promise<string> => {
      const { hash, frame } = await vault.putBlob(bytes);
      if (frame) applyAll(this.indexes, [frame]);
      return hash;
    };
    return { putBlob, putJson: (value) => putBlob(jsonBytes(value)) };
  }

  /** A thread's generations and how many records each has. */
  recordCounts(threadId: string): ReadonlyMap<number, number> {
    return new Map(
      this.index.generations(threadId).map((generation) => {
        const last = this.index.batches(threadId, generation).at(-1);
        return [generation, last === undefined ? 0 : last.first + last.take];
      }),
    );
  }

  /** Packs of a session's vault to be written in another folder and taken in as a whole; see `Vault.stage`. */
  stage(folder: string, sessionId: string): StagedPacks {
    return this.vaultOf(sessionId).stage(folder);
  }

  /** Whether a session's vault keeps the bytes already. */
  keeps(hash: string, sessionId: string): Promise<boolean> {
    return this.vaultOf(sessionId).keeps(hash);
  }

  /** @throws ExpectedError `contentMissing` when no vault holds it whole. */
  async readBlob(hash: string): Promise<Uint8Array> {
    const ref = this.index.blobRef(hash);
    if (!ref) throw contentMissing(hash);
    const frame = await this.readFrame(ref);
    // An index that is out of step with its packs must not pass other bytes for these.
    if (frame.hash !== hash) throw contentMissing(hash);
    return frame.payload;
  }

  /** What {@link putJson} kept; the caller checks its shape. */
  async readJson(hash: string): Promise<unknown> {
    return fromBytes(await this.readBlob(hash));
  }

  /** A snapshot's own JSON, fields of newer versions included. */
  async readSnapshotJson(id: string): Promise<unknown> {
    const ref = this.index.snapshotRef(id);
    if (ref) return fromBytes((await this.readFrame(ref)).payload);
    throw new ExpectedError('snapshotMissing', 'There is no snapshot {0} in this project.', [id]);
  }

  async readSnapshot(id: string): Promise<SnapshotContent> {
    const snapshot = snapshotSchema.parse(await this.readSnapshotJson(id));
    const missing: string[] = [];
    const part = async <S extends z.ZodType>(name: keyof Snapshot['parts'], schema: S) => {
      const hash = snapshot.parts[name];
      if (hash === undefined) return undefined;
      try {
        return schema.parse(await this.readJson(hash));
      } catch {
        missing.push(name);
        return undefined;
      }
    };
    const editors = await part('editors', editorsSchema);
    const workbench = await part('workbench', workbenchSchema);
    const changes = await part('changes', changesSchema);
    const environment = await part('environment', environmentSchema);
    return { snapshot, editors, workbench, changes, environment, missing };
  }

  /** The first `records` records of one generation, in order; reused ones come from the one before. */
  async *records(
    threadId: string,
    generation: number,
    records: number,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const { record } of this.placedRecords(threadId, generation, records)) yield record;
  }

  /** The same, with where each was in the agent's file. */
  async *placedRecords(
    threadId: string,
    generation: number,
    records: number,
  ): AsyncGenerator<PlacedRecord, void, undefined> {
    const batches = this.index.batches(threadId, generation);
    const [first] = batches;
    if (first?.reused !== undefined) {
      yield* this.placedRecords(threadId, generation - 1, Math.min(first.reused, records));
    }
    const wanted = batches.filter((batch) => batch.first < records);
    const read = oneAhead(wanted, async (batch) => ({
      batch,
      payload: (await this.readFrame(batch.ref)).payload,
    }));
    for await (const { batch, payload } of read) {
      const { header, records: all } = decodeBatch(payload);
      yield* placed(all.slice(0, Math.min(batch.take, records - batch.first)), header.places);
    }
  }

  /**
   * Takes in what other processes wrote; true when there was something. When something was taken out of a
   * vault (collection, or a person who had a text forgotten), the index is made anew, see {@link renew}.
   *
   * @throws the signal's reason; what was begun goes on with the next call
   */
  refresh(onProblem: (problem: Problem) => void, options: CatchUpOptions = {}): Promise<boolean> {
    return this.inTurn(options, async (stoppable) => {
      const onLost = (): void => {
        this.isStale = true;
      };
      const { news } = await catchUp(this.vaults, this.indexes, onProblem, {
        ...stoppable,
        onLost,
      });
      if (!this.isStale) return news;
      await this.renewNow(onProblem, stoppable);
      return true;
    });
  }

  /**
   * Makes the index anew from the packs. Until that is done it answers as before and takes in what is saved, so
   * nobody has to wait and no list is ever empty; when it is stopped it stays as it is.
   *
   * @throws the signal's reason
   */
  renew(onProblem: (problem: Problem) => void, options: CatchUpOptions = {}): Promise<void> {
    return this.inTurn(options, (stoppable) => this.renewNow(onProblem, stoppable));
  }

  /** Lets every index that is made anew be completed so, before anything is answered from it. */
  completeBy(complete: Complete): void {
    this.complete = complete;
  }

  /** How many packs were found to be gone so far: what was known to lie in them may be gone, too. */
  get lost(): number {
    return this.vaults.reduce((sum, vault) => sum + vault.lost, 0);
  }

  /** As {@link lost}, after a look at the packs. */
  async countLost(): Promise<number> {
    const counts = await Promise.all(this.vaults.map((vault) => vault.countLost()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Bytes of all packs. */
  async size(): Promise<number> {
    const sizes = await Promise.all(this.vaults.map((vault) => vault.size()));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Bytes of the packs that are not in the index yet. */
  async unread(): Promise<number> {
    const sizes = await Promise.all(this.vaults.map((vault) => vault.unread()));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Empties the index, which nobody asks yet; the next {@link refresh} fills it from the packs. */
  startOver(): void {
    this.startedOver += 1;
    this.index.clear();
    for (const vault of this.vaults) vault.rewind();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.queue;
    for (const vault of this.vaults) await vault.close();
    this.index.close();
  }

  private async renewNow(
    onProblem: (problem: Problem) => void,
    options: CatchUpOptions,
  ): Promise<void> {
    for (let time = 0; time < RENEWALS; time++) {
      const fresh = await this.index.beside();
      this.next = fresh;
      let isCurrent = false;
      try {
        isCurrent = await fillAnew(this.vaults, fresh, onProblem, {
          ...options,
          complete: async (readers) => this.complete?.(new Store(readers, fresh), options.signal),
        });
        if (isCurrent) this.index.become(fresh);
      } finally {
        this.next = undefined;
        if (!isCurrent) fresh.close();
      }
      this.isStale = !isCurrent;
      if (!isCurrent) continue;
      this.startedOver += 1;
      return;
    }
  }

  /** Stops when the store is closed, too. */
  private inTurn<T>(
    options: CatchUpOptions,
    work: (options: CatchUpOptions) => Promise<T>,
  ): Promise<T> {
    const { signal } = this.closing;
    const stop = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
    const done = this.queue.then(() => work({ ...options, signal: stop }));
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async append(
    vault: Vault,
    type: FrameType,
    value: unknown,
    sessionId?: string,
  ): Promise<void> {
    const frames = await vault.append([{ type, sessionId, payload: jsonBytes(value) }]);
    applyAll(this.indexes, frames);
  }

  /** The vault that a session is in, or that a new one comes into. */
  private vaultOf(sessionId: string): Vault {
    if (this.vaults.length === 1) return this.vaults[0];
    const { workspace } = this.index.session(sessionId) ?? {};
    const home = this.homes.ofSession(workspace);
    return this.holderOf(this.index.firstSnapshot(sessionId)?.pack, home);
  }

  /** As {@link vaultOf}, of a conversation and its subagents. */
  private vaultOfThread(id: string, cwd?: string): Vault {
    if (this.vaults.length === 1) return this.vaults[0];
    const [generation] = this.index.generations(id);
    const first = generation === undefined ? undefined : this.index.batches(id, generation)[0];
    const folder = cwd ?? this.index.cursor(id)?.cwd ?? this.index.thread(id)?.cwd;
    return this.holderOf(first?.ref.pack, this.homes.ofThread(folder));
  }

  private holderOf(pack: string | undefined, home: number | undefined): Vault {
    const holder = pack === undefined ? undefined : this.vaults.find((vault) => vault.has(pack));
    return holder ?? this.vaults[home ?? 0] ?? this.vaults[0];
  }

  private readFrame(ref: FrameRef): Promise<Frame> {
    const vault = this.vaults.find((candidate) => candidate.has(ref.pack)) ?? this.vaults[0];
    return vault.readFrame(ref);
  }
}

const contentMissing = (hash: string): ExpectedError =>
  new ExpectedError('contentMissing', 'The vault does not hold the content {0}.', [
    hash.slice(0, 12),
  ]);
