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
import type { CatchUpOptions } from '../vault/catchUp.js';
import { applyAll, catchUp } from '../vault/catchUp.js';
import type { SessionIndex } from '../vault/sessionIndex.js';
import type { StagedPacks } from '../vault/stagedPack.js';
import { FrameType, type Frame, type FrameRef } from '../vault/types.js';
import type { Vault } from '../vault/vault.js';

const decoder = new TextDecoder();
const fromBytes = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));

export type VaultPlace = Pick<Vault, 'folder' | 'has' | 'isListed'>;

/**
 * The vaults and their index as one: what is appended is in both. The first vault is written to;
 * the others, of a window's further folders, are read.
 */
export class Store {
  private startedOver = 0;

  constructor(
    private readonly vaults: readonly [Vault, ...Vault[]],
    readonly index: SessionIndex,
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
    return this.append(FrameType.session, event, event.sessionId);
  }

  appendSnapshot(snapshot: Snapshot): Promise<void> {
    return this.append(FrameType.snapshot, snapshot, snapshot.sessionId);
  }

  appendThreadEvent(event: ThreadEvent): Promise<void> {
    return this.append(FrameType.thread, event);
  }

  async appendRecords(records: readonly Uint8Array[], header: BatchHeader): Promise<void> {
    const payload = encodeBatch(header, records);
    applyAll(this.index, await this.vaults[0].append([{ type: FrameType.records, payload }]));
  }

  /** Keeps bytes under their SHA-256 (hex), once. */
  async putBlob(bytes: Uint8Array): Promise<string> {
    const { hash, frame } = await this.vaults[0].putBlob(bytes);
    if (frame) applyAll(this.index, [frame]);
    return hash;
  }

  putJson(value: unknown): Promise<string> {
    return this.putBlob(jsonBytes(value));
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

  /** Packs of the first vault to be written in another folder and taken in as a whole; see `Vault.stage`. */
  stage(folder: string): StagedPacks {
    return this.vaults[0].stage(folder);
  }

  /** Whether the first vault keeps the bytes already. */
  keeps(hash: string): Promise<boolean> {
    return this.vaults[0].keeps(hash);
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
    for (const [at, batch] of this.index.batches(threadId, generation).entries()) {
      if (at === 0 && batch.reused !== undefined) {
        yield* this.records(threadId, generation - 1, Math.min(batch.reused, records));
      }
      if (batch.first >= records) return;
      const { payload } = await this.readFrame(batch.ref);
      yield* decodeBatch(payload).records.slice(0, Math.min(batch.take, records - batch.first));
    }
  }

  /**
   * Takes in what other processes wrote; true when there was something. When something was taken out of a
   * vault (collection, or a person who had a text forgotten), the index is made anew.
   */
  async refresh(
    onProblem: (problem: Problem) => void,
    options: CatchUpOptions = {},
  ): Promise<boolean> {
    const { news, lost } = await catchUp(this.vaults, this.index, onProblem, options);
    if (!lost) return news;
    this.startOver();
    await catchUp(this.vaults, this.index, onProblem, options);
    return true;
  }

  /** Bytes of the packs that are not in the index yet. */
  async unread(): Promise<number> {
    const sizes = await Promise.all(this.vaults.map((vault) => vault.unread()));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Empties the index; the next {@link refresh} fills it from the packs. */
  startOver(): void {
    this.startedOver += 1;
    this.index.clear();
    for (const vault of this.vaults) vault.rewind();
  }

  async close(): Promise<void> {
    for (const vault of this.vaults) await vault.close();
    this.index.close();
  }

  private async append(type: FrameType, value: unknown, sessionId?: string): Promise<void> {
    applyAll(
      this.index,
      await this.vaults[0].append([{ type, sessionId, payload: jsonBytes(value) }]),
    );
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
