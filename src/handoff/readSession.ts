import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import type { Changes } from '../core/model/changes.js';
import type { Editors } from '../core/model/editors.js';
import { decodeHandoff, type FileEnd, type RawEntry } from './decode.js';
import { limits } from './limits.js';
import { refused } from './refusal.js';
import {
  blobEntrySchema,
  partEntrySchema,
  recordsEntrySchema,
  sessionEntrySchema,
  snapshotEntrySchema,
  snapshotPartsShape,
  threadEntrySchema,
  type AgentRecord,
  type BlobEntry,
  type PartEntry,
  type RecordsEntry,
  type SessionEntry,
  type SnapshotEntry,
  type ThreadEntry,
} from './schemas.js';

/** A checked entry and the fields that this version does not know. */
export type Unknown = Readonly<Record<string, unknown>>;

/**
 * Takes what a file holds, in the order of the file, every piece checked by itself and against what came
 * before. What the whole is worth is known when {@link readSession} has returned, so nothing of it may
 * count before.
 */
export interface SessionSink {
  session?(entry: SessionEntry, unknown: Unknown): void | Promise<void>;
  thread?(entry: ThreadEntry, unknown: Unknown): void | Promise<void>;
  records?(run: RecordsEntry, records: readonly Uint8Array[]): void | Promise<void>;
  blob?(id: string, bytes: Uint8Array): void | Promise<void>;
  /** `raw`: with the fields that are not known. */
  part?(entry: PartEntry, raw: unknown): void | Promise<void>;
  snapshot?(snapshot: SnapshotEntry['snapshot'], raw: unknown): void | Promise<void>;
  /** An entry of a kind that a newer version has, or a part of a snapshot about what this one does not know. */
  other?(entry: RawEntry): void | Promise<void>;
}

/**
 * Reads a session file to its end and gives its pieces to the sink.
 *
 * @throws ExpectedError `damaged`, `handoffRefused`, `handoffNewer`
 */
export async function readSession(
  plain: AsyncIterable<Uint8Array>,
  sink: SessionSink,
  signal?: AbortSignal,
): Promise<FileEnd> {
  const checker = new Checker(sink);
  const entries = decodeHandoff(plain, signal);
  try {
    for (;;) {
      const next = await entries.next();
      if (next.done === true) {
        checker.finish(next.value);
        return next.value;
      }
      await checker.take(next.value);
    }
  } finally {
    // Also lets go of the file.
    await entries.return(undefined as never).catch(() => undefined);
  }
}

interface OpenThread {
  readonly left: { readonly generation: number; readonly records: number }[];
  seen: number;
}

interface OpenBlob {
  readonly entry: BlobEntry;
  readonly hash: Hash;
  readonly parts: Buffer[];
  size: number;
}

class Checker {
  private entry: SessionEntry | undefined;
  private readonly threads = new Map<string, ThreadEntry>();
  private readonly open = new Map<string, OpenThread>();
  private readonly blobs = new Set<string>();
  /** What each part is about. */
  private readonly parts = new Map<string, string>();
  private readonly snapshots = new Set<string>();
  private openBlob: OpenBlob | undefined;
  /** Long records that the next run may name. */
  private longRecords = new Map<string, Buffer>();
  private records = 0;

  constructor(private readonly sink: SessionSink) {}

  async take(raw: RawEntry): Promise<void> {
    if (this.openBlob && raw.kind !== 'blob') throw refused('A content is not whole.');
    if (!this.entry && raw.kind !== 'session') throw refused('The session does not come first.');
    switch (raw.kind) {
      case 'session':
        return this.session(raw);
      case 'thread':
        return this.thread(raw);
      case 'records':
        return this.run(raw);
      case 'blob':
        return this.blob(raw);
      case 'part':
        return this.part(raw);
      case 'snapshot':
        return this.snapshot(raw);
      case 'signature':
        throw refused('The signature does not stand at the end.');
      default:
        return this.sink.other?.(raw);
    }
  }

  finish({ manifest }: FileEnd): void {
    if (!this.entry) throw refused('It holds no session.');
    if (this.entry.signedBy !== manifest.author.key) {
      throw refused('Its parts name different keys.');
    }
    if (this.openBlob) throw refused('A content is not whole.');
    for (const { left } of this.open.values()) {
      if (left.some(({ records }) => records > 0)) throw refused('A conversation is not whole.');
    }
    const { contents } = manifest;
    const counted =
      contents.threads === this.threads.size &&
      contents.records === this.records &&
      contents.snapshots === this.snapshots.size &&
      contents.parts === this.parts.size &&
      contents.blobs === this.blobs.size;
    if (!counted) throw refused('It does not hold as much as it says.');
  }

  private session(raw: RawEntry): void | Promise<void> {
    const entry = check(sessionEntrySchema, raw);
    if (this.entry) throw refused('It holds more than one session.');
    this.entry = entry;
    return this.sink.session?.(entry, unknownOf(raw.value, sessionEntrySchema.shape));
  }

  private thread(raw: RawEntry): void | Promise<void> {
    const entry = check(threadEntrySchema, raw);
    if (this.threads.has(entry.id)) throw refused('A conversation stands in it twice.');
    if (this.threads.size === limits.threads) throw refused('It has too many conversations.');
    const numbers = entry.generations.map(({ generation }) => generation);
    if (numbers.some((number, at) => number <= (numbers[at - 1] ?? -1))) {
      throw refused('The generations of a conversation are not in order.');
    }
    this.threads.set(entry.id, entry);
    this.open.set(entry.id, { left: [...entry.generations], seen: 0 });
    return this.sink.thread?.(entry, unknownOf(raw.value, threadEntrySchema.shape));
  }

  private run(raw: RawEntry): void | Promise<void> {
    const run = check(recordsEntrySchema, raw);
    const thread = this.open.get(run.thread);
    while (thread && thread.left[0]?.records === thread.seen) next(thread);
    const generation = thread?.left[0];
    const fits =
      thread !== undefined &&
      generation?.generation === run.generation &&
      run.first === thread.seen &&
      run.records.length > 0 &&
      thread.seen + run.records.length <= generation.records;
    if (!fits) throw refused('The records of a conversation do not follow one another.');
    thread.seen += run.records.length;
    if (thread.seen === generation.records) next(thread);
    this.records += run.records.length;
    if (this.records > limits.records) throw refused('It has too many records.');
    const records = run.records.map((record) => this.bytesOf(record));
    this.longRecords = new Map();
    return this.sink.records?.(run, records);
  }

  private bytesOf(record: AgentRecord): Uint8Array {
    if (typeof record === 'string') return Buffer.from(record);
    if ('base64' in record) return Buffer.from(record.base64, 'base64');
    const long = this.longRecords.get(record.blob);
    if (!long) throw refused('A record of a conversation is missing.');
    return long;
  }

  private async blob(raw: RawEntry): Promise<void> {
    const entry = check(blobEntrySchema, raw);
    const open = this.openBlob ?? this.begin(entry);
    const bytes =
      entry.text === undefined
        ? Buffer.from(entry.base64 ?? '', 'base64')
        : Buffer.from(entry.text);
    const fits =
      entry.id === open.entry.id &&
      entry.size === open.entry.size &&
      entry.at === open.size &&
      open.size + bytes.length <= entry.size &&
      (bytes.length > 0 || entry.size === 0);
    if (!fits) throw refused('A content is not whole.');
    open.parts.push(bytes);
    open.hash.update(bytes);
    open.size += bytes.length;
    if (open.size < entry.size) return;
    this.openBlob = undefined;
    if (open.hash.digest('hex') !== entry.id) throw refused('A content is not what it is named.');
    await this.complete(open);
  }

  private begin(entry: BlobEntry): OpenBlob {
    if (entry.size > limits.blob) throw refused('It holds a content of more than 64 MB.');
    if (this.blobs.size === limits.blobs) throw refused('It holds too many contents.');
    this.openBlob = { entry, hash: createHash('sha256'), parts: [], size: 0 };
    return this.openBlob;
  }

  private async complete({ entry, parts }: OpenBlob): Promise<void> {
    const whole = Buffer.concat(parts);
    if (entry.record === true) {
      const size = [...this.longRecords.values()].reduce((sum, { length }) => sum + length, 0);
      if (size + whole.length > limits.blob) throw refused('It holds too long records.');
      this.longRecords.set(entry.id, whole);
      return;
    }
    if (this.blobs.has(entry.id)) throw refused('A content stands in it twice.');
    this.blobs.add(entry.id);
    await this.sink.blob?.(entry.id, whole);
  }

  private part(raw: RawEntry): void | Promise<void> {
    const { id, part } = check(anyPartSchema, raw);
    if (this.parts.has(id)) throw refused('A part of a snapshot stands in it twice.');
    if (!knownParts.has(part)) {
      this.parts.set(id, part);
      return this.sink.other?.(raw);
    }
    const entry = check(partEntrySchema, raw);
    for (const blob of blobsOf(entry)) {
      if (!this.blobs.has(blob)) throw refused('A content that a snapshot names is missing.');
    }
    this.parts.set(entry.id, entry.part);
    return this.sink.part?.(entry, raw.value['value']);
  }

  private snapshot(raw: RawEntry): void | Promise<void> {
    const { snapshot } = check(snapshotEntrySchema, raw);
    if (this.snapshots.has(snapshot.id)) throw refused('A snapshot stands in it twice.');
    if (this.snapshots.size === limits.snapshots) throw refused('It has too many snapshots.');
    for (const [name, id] of Object.entries(snapshot.parts)) {
      if (id !== undefined && this.parts.get(id) !== name) {
        throw refused('A part of a snapshot is missing.');
      }
    }
    for (const point of snapshot.threads) {
      const records = this.threads
        .get(point.id)
        ?.generations.find(({ generation }) => generation === point.generation)?.records;
      if (records === undefined || point.records > records) {
        throw refused('A conversation that a snapshot names is missing.');
      }
    }
    if (snapshot.sessionId !== this.entry?.id) throw refused('A snapshot is of another session.');
    this.snapshots.add(snapshot.id);
    return this.sink.snapshot?.(snapshot, raw.value['snapshot']);
  }
}

const anyPartSchema = z.object({ id: z.string().min(1).max(300), part: z.string().max(100) });
const knownParts: ReadonlySet<string> = new Set(Object.keys(snapshotPartsShape));

function next(thread: OpenThread): void {
  thread.left.shift();
  thread.seen = 0;
}

function check<S extends z.ZodType>(schema: S, raw: RawEntry): z.infer<S> {
  const parsed = schema.safeParse(raw.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.').slice(0, 100) ?? '';
  throw refused(`A ${raw.kind} in it is not as the format says, at "${where}".`);
}

function unknownOf(value: Unknown, shape: Readonly<Record<string, unknown>>): Unknown {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(shape, key)));
}

/** The contents that a part names. */
export function blobsOf(entry: PartEntry): readonly string[] {
  if (entry.part === 'editors') return draftsOf(entry.value);
  return entry.part === 'changes' ? contentsOf(entry.value) : [];
}

const draftsOf = ({ drafts }: Editors): readonly string[] => drafts.map(({ text }) => text);

const contentsOf = ({ repositories }: Changes): readonly string[] =>
  repositories
    .flatMap(({ staged, unstaged, files, untracked }) => [
      staged,
      unstaged,
      ...[...files, ...untracked].map(({ content }) => content),
    ])
    .filter((hash) => hash !== undefined);
