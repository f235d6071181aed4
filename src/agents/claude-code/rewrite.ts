import { fieldsOf, textOf, type Fields } from '../json.js';
import { decode } from '../decode.js';
import { linesOf, withMember } from '../jsonLines.js';
import type { NewSession, OwnRecords } from '../target.js';
import { claudeParser } from './parse.js';

/**
 * A session's own records as another session: its id and, where it moves, its working folder are
 * other ones; everything else stays byte for byte, so that signed thinking stays valid.
 */
export function rewriteRecords(own: OwnRecords, { id, cwd }: NewSession): Uint8Array {
  const { nativeId, turns } = own;
  const folder = own.records
    .map((record) => textOf(decode(record).fields?.['cwd']))
    .find((found) => found !== undefined);
  const kept = turns === undefined ? own.records : cutAt(own.records, nativeId, turns);
  const named = kept.map((record) => withMember(record, 'sessionId', nativeId, id));
  const moved =
    folder === undefined || folder === cwd
      ? named
      : named.map((record) => withMember(record, 'cwd', folder, cwd));
  return linesOf(moved);
}

/**
 * The records before the first one of the turn with that number. What named the newest leaf until then
 * would bring the rest of the old branch back, so it goes, and the turn's own parent is named instead.
 */
function cutAt(
  records: readonly Uint8Array[],
  nativeId: string,
  turns: number,
): readonly Uint8Array[] {
  const parser = claudeParser(nativeId);
  for (const record of records) parser.push(record);
  const next = parser.thread().turns[turns];
  if (next === undefined) return records;
  const all = records.map((record) => decode(record).fields ?? {});
  const at = all.findIndex((fields) => isOf(fields, next.id));
  if (at < 0) return records;
  const kept = records.slice(0, at).filter((_, index) => all[index]?.['type'] !== 'last-prompt');
  const leafUuid = textOf(all[at]?.['parentUuid']);
  if (leafUuid === undefined) return kept;
  const leaf = { type: 'last-prompt', lastPrompt: '', leafUuid, sessionId: nativeId };
  return [...kept, Buffer.from(JSON.stringify(leaf))];
}

const isOf = (record: Fields, turnId: string): boolean =>
  record['uuid'] === turnId || fieldsOf(record['message'])?.['id'] === turnId;
