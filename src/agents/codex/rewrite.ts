import { hasAny, recordsBefore } from '../cutRecords.js';
import { decode } from '../decode.js';
import { linesOf } from '../jsonLines.js';
import type { NewSession, OwnRecords } from '../target.js';
import { kindOf, lineOf } from './line.js';
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
  const [first = Buffer.alloc(0)] = own.records;
  return linesOf([renamed(first, meta, own.nativeId, place), ...own.records.slice(1, end)]);
}

function renamed(
  record: Uint8Array,
  meta: Readonly<Record<string, unknown>>,
  nativeId: string,
  place: NewSession,
): Uint8Array {
  const { id, cwd, facts } = place;
  const payload = meta['payload'] as Readonly<Record<string, unknown>>;
  const provider = facts['provider'] ?? payload['model_provider'];
  const isSame =
    payload['id'] === id && payload['cwd'] === cwd && payload['model_provider'] === provider;
  if (isSame) return record;
  const named = {
    ...payload,
    id,
    ...(payload['session_id'] !== undefined && { session_id: id }),
    ...(id !== nativeId && { forked_from_id: nativeId }),
    cwd,
    model_provider: provider,
  };
  return Buffer.from(JSON.stringify({ ...meta, payload: named }));
}

function endOf({ records, nativeId }: OwnRecords, turns: number): number | undefined {
  // Rollbacks say how many turns they take back, so a record less may mean a turn more.
  if (hasAny(records, 'thread_rolled_back')) return undefined;
  const parser = codexParser(nativeId);
  for (const record of records) parser.push(record);
  const next = parser.thread().turns[turns];
  if (next === undefined) return records.length;
  let end = recordsBefore(records, turns, () => codexParser(nativeId));
  if (next.role !== 'user') return end;
  // The model was told a prompt, and where it works, before the person's words were noted.
  while (end > 1 && isBeforePrompt(records[end - 1])) end -= 1;
  return end;
}

const ahead = new Set([
  ...['turn_context', 'world_state', 'task_started', 'turn_started', 'thread_settings_applied'],
  ...['user_message', 'item_started'],
]);

function isBeforePrompt(record: Uint8Array | undefined): boolean {
  const line = lineOf(decode(record ?? Buffer.alloc(0)).fields ?? {});
  if (line === undefined) return false;
  if (line.type === 'response_item') {
    const { role } = line.payload;
    return kindOf(line) === 'message' && (role === 'user' || role === 'developer');
  }
  return ahead.has(line.type === 'event_msg' ? kindOf(line) : line.type);
}
