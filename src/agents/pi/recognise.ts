import { headRecords } from '../fileHead.js';
import { isString, type Fields } from '../json.js';
import { messageOf } from './entry.js';

const entryTypes = new Set<unknown>([
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
]);

/** Whether a file that begins so is a session of Pi. */
export const recognises = (head: string): boolean => headRecords(head).some(isOwn);

const isOwn = (record: Fields): boolean =>
  (record['type'] === 'session' && isString(record['id']) && isString(record['cwd'])) ||
  // Where the first entry is broken: no other agent chains its records by ids so short.
  (entryTypes.has(record['type']) && isShortId(record['id']) && 'parentId' in record) ||
  isOldMessage(record);

const isShortId = (id: unknown): boolean => isString(id) && /^[0-9a-f]{8}$/.test(id);

/** The first version of the form had no ids; its messages have members that no other agent's have. */
function isOldMessage(record: Fields): boolean {
  const message = messageOf(record);
  return message !== undefined && ('stopReason' in message || 'toolCallId' in message);
}
