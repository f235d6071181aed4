import { hasAny, recordsBefore } from '../cutRecords.js';
import { decode } from '../decode.js';
import { linesOf } from '../jsonLines.js';
import type { NewSession, OwnRecords } from '../target.js';
import { codexParser } from './parse.js';

/**
 * A rollout's own records as another session: only the facts on the first line are other ones, and
 * everything else stays byte for byte, the model's sealed reasoning included. Undefined for forms in which no
 * line holds those facts, and where the cut is not at a record of the turn.
 */
export function rewriteRecords(own: OwnRecords, place: NewSession): Uint8Array | undefined {
  const at = own.records.findIndex((record) => decode(record).fields?.['type'] === 'session_meta');
  const meta = decode(own.records[at] ?? Buffer.alloc(0)).fields;
  if (meta === undefined || at !== 0) return undefined;
  const end = own.turns === undefined ? own.records.length : endOf(own, own.turns);
  if (end === undefined) return undefined;
  return linesOf([renamed(meta, own.nativeId, place), ...own.records.slice(1, end)]);
}

function renamed(
  meta: Readonly<Record<string, unknown>>,
  nativeId: string,
  place: NewSession,
): Uint8Array {
  const { id, cwd, facts } = place;
  const payload = meta['payload'] as Readonly<Record<string, unknown>>;
  const named = {
    ...payload,
    id,
    ...(payload['session_id'] !== undefined && { session_id: id }),
    forked_from_id: nativeId,
    cwd,
    model_provider: facts['provider'] ?? payload['model_provider'],
  };
  return Buffer.from(JSON.stringify({ ...meta, payload: named }));
}

function endOf({ records, nativeId }: OwnRecords, turns: number): number | undefined {
  // Rollbacks say how many turns they take back, so a record less may mean a turn more.
  if (hasAny(records, 'thread_rolled_back')) return undefined;
  return recordsBefore(records, turns, () => codexParser(nativeId));
}
