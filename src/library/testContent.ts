import { plainOf } from '../handoff/handoffFile.js';
import { readSession, type SessionSink } from '../handoff/readSession.js';

/** What a session file says, for tests. */
export interface HandoffContent {
  readonly session?: object;
  readonly snapshots: readonly object[];
  readonly parts: readonly unknown[];
  readonly blobs: readonly string[];
  /** Of kinds that this version does not know. */
  readonly other: readonly object[];
  readonly threads: readonly object[];
  /** Of each thread, all generations, in Latin-1. */
  readonly records: readonly (readonly string[])[];
}

/** Every entry but those about the file itself, with the fields that are not known. */
export async function contentOf(file: string): Promise<HandoffContent> {
  const records = new Map<string, string[]>();
  const found: {
    session?: object;
    snapshots: object[];
    parts: unknown[];
    blobs: string[];
    other: object[];
    threads: object[];
  } = { snapshots: [], parts: [], blobs: [], other: [], threads: [] };
  const sink: SessionSink = {
    session: (entry, unknown) => void (found.session = { ...entry, ...unknown }),
    thread: (entry, unknown) => void found.threads.push({ ...entry, ...unknown }),
    records: (run, bytes) =>
      void records.set(run.thread, [
        ...(records.get(run.thread) ?? []),
        ...bytes.map((record) => Buffer.from(record).toString('latin1')),
      ]),
    blob: (id) => void found.blobs.push(id),
    part: (_, raw) => void found.parts.push(raw),
    snapshot: (_, raw) => void found.snapshots.push(raw as object),
    other: ({ value }) => void found.other.push(value),
  };
  await readSession(plainOf(file), sink);
  return { ...found, records: [...records.values()] };
}
