import { headRecords } from '../fileHead.js';
import { isFields, isString, type Fields } from '../json.js';

/** Whether a file that begins so is a session of Gemini CLI, in either of its forms. */
export const recognises = (head: string): boolean =>
  headRecords(head).some(isOwn) && !isOfQwen(head);

/** Qwen Code kept the same form at first, but called the model's messages after itself. */
export const isOfQwen = (head: string): boolean => /"type"\s*:\s*"qwen"/.test(head);

const isOwn = (record: Fields): boolean =>
  (isString(record['sessionId']) && isString(record['projectHash'])) ||
  isFields(record['$set']) ||
  isString(record['$rewindTo']) ||
  (isString(record['id']) && record['type'] === 'gemini' && 'content' in record);
