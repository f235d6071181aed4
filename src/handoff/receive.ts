import type { ImportRequest, ImportResult, Inspection, Unlock } from '../core/handoff.js';
import { ExpectedError } from '../core/errors.js';
import type { FileEnd } from './decode.js';
import type { FindingsSink } from './findings.js';
import { lookAt, plainOf } from './handoffFile.js';
import { SessionImport, type ImportOptions } from './importSession.js';
import { SessionInspector, type Surroundings } from './inspectSession.js';
import { rememberSigner } from './knownSigners.js';
import { inQuarantine } from './quarantine.js';
import { readSession, type SessionSink } from './readSession.js';
import type { ImportTarget } from './target.js';
import { refused } from './refusal.js';

export interface ReceiveOptions {
  readonly file: string;
  readonly unlock?: Unlock | undefined;
  readonly around: Surroundings;
  readonly signal?: AbortSignal | undefined;
  /** Counts what our own rules find. */
  readonly findings?: FindingsSink | undefined;
  /** Bytes of the file that were read, of how many. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads a session file to its end and says what is in it; writes nothing.
 *
 * @throws ExpectedError `damaged`, `handoffRefused`, `handoffNewer`, `handoffLocked`, `fileUnreadable`
 */
export async function inspectFile(options: ReceiveOptions): Promise<Inspection> {
  const inspector = new SessionInspector(options.around);
  const look = await lookAt(options.file);
  const { findings } = options;
  const sink = findings === undefined ? inspector : both(inspector, findings);
  const end = await read(options, look.bytes, sink);
  const inspection = await inspector.finish(options.file, look, end);
  return { ...inspection, findings: findings?.findings };
}

export interface TakeOptions extends ReceiveOptions {
  /** Root of all vaults; what comes in is made ready below it. */
  readonly store: string;
  readonly target: ImportTarget;
  readonly redact: ImportOptions['redact'];
  readonly workspace: string | undefined;
  readonly takeTheirs: ImportRequest['takeTheirs'];
  /** Root hash of what a person looked at. */
  readonly expect: string | undefined;
}

/**
 * Takes a session file in: whole, or nothing of it. Taking it in again changes nothing.
 *
 * @throws ExpectedError as {@link inspectFile}; `diskFull`, `notWritable`, `writeFailed`
 */
export async function takeFile(options: TakeOptions): Promise<ImportResult> {
  const { store, around } = options;
  return inQuarantine(store, async (folder) => {
    const look = await lookAt(options.file);
    const taking = new SessionImport({ ...options, folder });
    try {
      const inspector = new SessionInspector(around);
      const end = await read(options, look.bytes, both(inspector, taking));
      const inspection = await inspector.finish(options.file, look, end);
      check(inspection, options.expect);
      options.signal?.throwIfAborted();
      const { author } = inspection;
      const trust = author.signature === 'verified' ? 'verified' : 'unverified';
      const result = await taking.finish(inspection, trust);
      if (author.fingerprint !== undefined) {
        const { fingerprint, name } = author;
        await rememberSigner(store, { fingerprint, name, since: Date.now() });
      }
      return { ...result, inspection };
    } finally {
      await taking.close();
    }
  });
}

function check({ author, root }: Inspection, expect: string | undefined): void {
  if (author.signature === 'broken') {
    throw refused('Its signature is not of what it holds: somebody has changed it.');
  }
  if (expect === undefined || expect === root) return;
  throw new ExpectedError(
    'handoffChanged',
    'The session file has changed since it was shown.',
    [],
    {
      next: 'Look at it again.',
    },
  );
}

async function read(
  { file, unlock, signal, onProgress }: ReceiveOptions,
  total: number,
  sink: SessionSink,
): Promise<FileEnd> {
  let done = 0;
  const plain = plainOf(file, unlock, (bytes) => {
    done += bytes;
    onProgress?.(done, total);
  });
  return readSession(plain, sink, signal);
}

/** Both get everything; the inspector keeps nothing of it. */
const both = (one: SessionSink, other: SessionSink): SessionSink => ({
  session: async (entry, unknown) => {
    await one.session?.(entry, unknown);
    await other.session?.(entry, unknown);
  },
  thread: async (entry, unknown) => {
    await one.thread?.(entry, unknown);
    await other.thread?.(entry, unknown);
  },
  records: async (run, records) => {
    await one.records?.(run, records);
    await other.records?.(run, records);
  },
  blob: async (id, bytes) => {
    await one.blob?.(id, bytes);
    await other.blob?.(id, bytes);
  },
  part: async (entry, raw) => {
    await one.part?.(entry, raw);
    await other.part?.(entry, raw);
  },
  snapshot: async (snapshot, raw) => {
    await one.snapshot?.(snapshot, raw);
    await other.snapshot?.(snapshot, raw);
  },
  other: async (entry) => {
    await one.other?.(entry);
    await other.other?.(entry);
  },
});
