import type { BatchHeader } from '../core/model/records.js';
import { encodeBatch } from '../vault/batch.js';
import type { RecordsEntry, ThreadEntry } from './schemas.js';
import type { ImportTarget } from './target.js';

/** A batch is closed once it has so many bytes. */
const BATCH = 256 * 1024;

type Write = (payload: Uint8Array) => Promise<void>;

/**
 * One thread on its way in. Records that are here already are compared and not written again; what
 * follows them is added. Where they differ, everything becomes a generation of its own: neither copy
 * takes the other's place.
 */
export class ImportThread {
  /** Records that were not here before. */
  added = 0;
  private readonly here: ReadonlyMap<number, number>;
  /** The generations of the file by those that they became here. */
  private readonly becomes = new Map<number, number>();
  private nextFree: number;
  private run: Run | undefined;

  constructor(
    private readonly id: string,
    private readonly parent: string | undefined,
    entry: ThreadEntry,
    private readonly target: ImportTarget,
    private readonly write: Write,
  ) {
    this.here = target.generations(id);
    const numbers = entry.generations.map(({ generation }) => generation);
    for (const number of numbers) this.becomes.set(number, number);
    this.nextFree = Math.max(-1, ...this.here.keys(), ...numbers) + 1;
  }

  get isNew(): boolean {
    return this.here.size === 0;
  }

  /** The number here of a generation of the file. */
  generation(number: number): number {
    return this.becomes.get(number) ?? number;
  }

  async add({ generation }: RecordsEntry, records: readonly Uint8Array[]): Promise<void> {
    if (this.run?.generation !== generation) await this.begin(generation);
    for (const record of records) await this.addOne(record);
  }

  async finish(): Promise<void> {
    await this.run?.before?.return?.();
    await this.flush();
    this.run = undefined;
  }

  private async begin(generation: number): Promise<void> {
    await this.finish();
    const count = this.here.get(generation);
    const before =
      count === undefined
        ? undefined
        : this.target.records(this.id, generation, count)[Symbol.asyncIterator]();
    this.run = { generation, before, at: 0, batch: [], size: 0 };
  }

  private async addOne(record: Uint8Array): Promise<void> {
    const { run } = this;
    if (!run) return;
    if (run.before) {
      const known = await run.before.next();
      if (known.done !== true && Buffer.compare(known.value, record) === 0) {
        run.at += 1;
        return;
      }
      if (known.done !== true) await this.branch(run);
      await run.before.return?.();
      run.before = undefined;
    }
    run.batch.push(record);
    run.size += record.length;
    this.added += 1;
    if (run.size >= BATCH) await this.flush();
  }

  /** The copy here goes on otherwise: this one becomes another generation, from its start. */
  private async branch(run: Run): Promise<void> {
    const same = run.at;
    const number = this.nextFree++;
    this.becomes.set(run.generation, number);
    run.at = 0;
    for await (const record of this.target.records(this.id, run.generation, same)) {
      run.batch.push(record);
      run.size += record.length;
      if (run.size >= BATCH) await this.flush();
    }
  }

  private async flush(): Promise<void> {
    const { run } = this;
    if (!run || run.batch.length === 0) return;
    const { batch, at } = run;
    const generation = this.generation(run.generation);
    const records = at + batch.length;
    const header: BatchHeader = {
      schemaVersion: 1,
      thread: this.id,
      generation,
      first: at,
      count: batch.length,
      parent: this.parent,
      cursor: { path: `imported:${this.id}`, offset: 0, generation, records, state: {} },
    };
    run.batch = [];
    run.size = 0;
    run.at = records;
    await this.write(encodeBatch(header, batch));
  }
}

interface Run {
  readonly generation: number;
  /** What is here of it, as long as both are the same. */
  before: AsyncIterator<Uint8Array> | undefined;
  /** Records that are here or written. */
  at: number;
  batch: Uint8Array[];
  size: number;
}
