import { headRecords } from '../fileHead.js';
import { isOfQwen } from '../gemini-cli/recognise.js';
import { isGenAiRecord } from '../genAi.js';
import { isString, type Fields } from '../json.js';

/** Whether a file that begins so is Qwen Code's: chained records, or Gemini CLI's form with its own name. */
export const recognises = (head: string): boolean => {
  const records = headRecords(head);
  return records.some(isOwn) || (isOfQwen(head) && records.some(isOld));
};

const isOwn = (record: Fields): boolean => 'parentUuid' in record && isGenAiRecord(record);

const isOld = (record: Fields): boolean =>
  isString(record['sessionId']) && isString(record['projectHash']);
