import type { Cursor } from '../core/model/records.js';
import { mergeRecords } from './mergeRecords.js';
import type { FoundCopy, FoundThread, ReadResult, Source } from './source.js';
import { changesOf } from './stateFile.js';

/**
 * A conversation that several files hold: two homes, a copied folder, a form of before and its successor.
 *
 * @param isNewForm a file of this form gives the order, even where another is longer
 */
export function asOne(
  one: FoundThread,
  other: FoundThread,
  isNewForm: (path: string) => boolean = () => false,
): FoundThread {
  const rank = (file: FoundCopy): number => Number(isNewForm(file.path));
  const files = [...filesOf(one), ...filesOf(other)].sort(
    (a, b) => rank(b) - rank(a) || b.bytes - a.bytes || b.modifiedAt - a.modifiedAt,
  );
  const [first = one, ...copies] = files;
  const main = first.path === one.path ? one : other;
  return {
    ...main,
    parent: main.parent ?? one.parent ?? other.parent,
    isUnlisted: one.isUnlisted === true && other.isUnlisted === true ? true : undefined,
    path: first.path,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    modifiedAt: Math.max(...files.map(({ modifiedAt }) => modifiedAt)),
    copies,
  };
}

/** All files of a thread, each by its own size and time. */
export function filesOf({ path, bytes, modifiedAt, copies = [] }: FoundThread): FoundCopy[] {
  const others = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  return [{ path, bytes: bytes - others, modifiedAt }, ...copies];
}

/** More than this is not merged in memory; then the fuller file is read alone. */
const largestMerged = 512 * 1024 * 1024;

/**
 * What changed in a thread since the cursor, whether one file holds it or several. Of several, all are
 * read again when one has changed, and the union of their records is what the thread holds. Rejects as
 * `Source.read` does.
 */
export async function readThread(
  source: Source,
  found: FoundThread,
  cursor: Cursor | undefined,
  signal?: AbortSignal,
): Promise<ReadResult> {
  const { copies = [], path, bytes } = found;
  if (copies.length === 0 || bytes > largestMerged) return readAlone(source, found, cursor, signal);
  const files = filesOf(found);
  const stamp = files.map((file) => `${file.path} ${file.bytes} ${file.modifiedAt}`).join('\n');
  if (cursor?.state['stamp'] === stamp) {
    return { records: [], cursor, bytesRead: 0, more: false };
  }
  const lists = await Promise.all(
    files.map((file) => wholeOf(source, { nativeId: found.nativeId, ...file }, signal)),
  );
  const read = lists.reduce((sum, list) => sum + list.bytesRead, 0);
  const records = mergeRecords(
    lists.map((list) => list.records),
    source.merging,
  );
  const changes = changesOf(path, cursor, records, { stamp, bytes: read });
  const state = { ...changes.cursor.state, merged: 1 };
  return { ...changes, cursor: { ...changes.cursor, state } };
}

/** A thread that several files held before begins anew. */
async function readAlone(
  source: Source,
  found: FoundThread,
  cursor: Cursor | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  if (cursor?.state['merged'] !== 1) return source.read(found, cursor, signal);
  const read = await source.read(found, undefined, signal);
  const generation = cursor.generation + 1;
  return { ...read, restarted: { reused: 0 }, cursor: { ...read.cursor, generation } };
}

async function wholeOf(source: Source, found: FoundThread, signal: AbortSignal | undefined) {
  const records: Uint8Array[] = [];
  let bytesRead = 0;
  let cursor: Cursor | undefined;
  for (let more = true; more;) {
    const result = await source.read(found, cursor, signal);
    records.push(...result.records);
    bytesRead += result.bytesRead;
    ({ cursor, more } = result);
  }
  return { records, bytesRead };
}
