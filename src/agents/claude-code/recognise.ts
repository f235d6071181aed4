import { headRecords } from '../fileHead.js';
import { isGenAiRecord } from '../genAi.js';
import type { Fields } from '../json.js';

const ownTypes = new Set<unknown>(['queue-operation', 'file-history-snapshot', 'permission-mode']);

/** Whether a file that begins so is Claude Code's. */
export const recognises = (head: string): boolean => headRecords(head).some(isOwn);

/** Every version chains its records, or begins with a summary or a queue entry. Qwen Code chains them too. */
const isOwn = (record: Fields): boolean =>
  ('parentUuid' in record && !isGenAiRecord(record)) ||
  'leafUuid' in record ||
  ownTypes.has(record['type']);
