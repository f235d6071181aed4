import { headRecords } from '../fileHead.js';
import { isFields, isString, type Fields } from '../json.js';

/** Whether a file that begins so is a session of Gemini CLI, in either of its forms. */
export const recognises = (head: string): boolean =>
  (headRecords(head).some(isOwn) || isSaved(head) || isPromptLog(head)) && !isOfQwen(head);

/** What `/chat save` writes: the API's contents, alone or as a history; no other agent's list holds them. */
const isSaved = (head: string): boolean =>
  /^\uFEFF?\s*(?:\[|\{[\s\S]*?"(?:history|clientHistory)"\s*:\s*\[)\s*\{\s*"(?:role|parts)"/.test(
    head,
  ) &&
  /"role"\s*:\s*"(?:user|model)"/.test(head) &&
  /"parts"\s*:\s*\[/.test(head);

/** `logs.json`, which is a list of prompts. */
const isPromptLog = (head: string): boolean =>
  /^\uFEFF?\s*\[\s*\{\s*"sessionId"\s*:\s*"[^"]*",\s*"messageId"\s*:\s*\d/.test(head);

/** Qwen Code kept the same form at first, but called the model's messages after itself. */
export const isOfQwen = (head: string): boolean => /"type"\s*:\s*"qwen"/.test(head);

const isOwn = (record: Fields): boolean =>
  (isString(record['sessionId']) && isString(record['projectHash'])) ||
  isFields(record['$set']) ||
  isString(record['$rewindTo']) ||
  (isString(record['id']) && record['type'] === 'gemini' && 'content' in record);
