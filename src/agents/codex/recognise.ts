import { headRecords } from '../fileHead.js';
import { isFields, isString, type Fields } from '../json.js';

const lineTypes = new Set<unknown>([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
]);

/** Whether a file that begins so is a rollout of Codex, of any version. */
export const recognises = (head: string): boolean => headRecords(head).some(isOwn);

const isOwn = (record: Fields): boolean =>
  (lineTypes.has(record['type']) && isFields(record['payload'])) ||
  // The first line before there were envelopes, and the one object of the first program.
  isOldMeta(record) ||
  (isFields(record['session']) && Array.isArray(record['items']));

const isOldMeta = (record: Fields): boolean =>
  record['record_type'] === 'state' ||
  (isString(record['id']) &&
    isString(record['timestamp']) &&
    record['type'] === undefined &&
    'instructions' in record);
