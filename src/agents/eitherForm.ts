import type { Cursor } from '../core/model/records.js';
import { beginningOf, isOneValue } from './fileForm.js';
import { readJsonl } from './jsonl.js';
import type { ReadResult, Source } from './source.js';
import { readStateFile } from './stateFile.js';

/**
 * Reads conversations that are logs of JSON lines, or one object with its items in the member `list`
 * (with `mayBeList` also the list alone). One that moves from one form to the other begins anew.
 */
export const readEitherForm =
  (list: string, mayBeList = false): Source['read'] =>
  async ({ path }, cursor, signal) =>
    (await isLog(path, list, cursor))
      ? readLog(path, cursor, signal)
      : readStateFile(list, path, cursor, signal, mayBeList);

/** A log that goes on was looked at when it was first read. */
async function isLog(path: string, list: string, cursor: Cursor | undefined): Promise<boolean> {
  if (path.endsWith('.jsonl') && isOfLog(cursor) && cursor?.records !== 0) return true;
  return !isOneValue((await beginningOf(path)).toString('utf8'), list);
}

const isOfLog = (cursor: Cursor | undefined): boolean =>
  cursor !== undefined && 'marks' in cursor.state;

/** A log of lines; a conversation that was one object before begins anew. */
export async function readLog(
  path: string,
  cursor: Cursor | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  if (cursor === undefined || cursor.records === 0 || isOfLog(cursor)) {
    return readJsonl(path, cursor, signal);
  }
  const read = await readJsonl(path, undefined, signal);
  const generation = cursor.generation + 1;
  return { ...read, restarted: { reused: 0 }, cursor: { ...read.cursor, generation } };
}
