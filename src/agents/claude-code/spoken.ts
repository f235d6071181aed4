import type { Spoken } from '../branch.js';
import { fieldsOf, textOf, timeOf, type Fields } from '../json.js';
import { readUserText } from './prompt.js';
import { blocksOf, plainText } from './record.js';

/** A prompt that a person typed, or an answer of the model: what makes a branch one of its own. */
export function spokenIn(record: Fields): Spoken | undefined {
  const message = fieldsOf(record['message']);
  const at = timeOf(record['timestamp']);
  const uuid = textOf(record['uuid']) ?? '';
  if (record['type'] === 'assistant' && record['isApiErrorMessage'] !== true) {
    return { key: textOf(message?.['id']) ?? uuid, at };
  }
  const isInjected = record['isMeta'] === true || record['isCompactSummary'] === true;
  if (record['type'] !== 'user' || isInjected) return undefined;
  const blocks = blocksOf(message?.['content']);
  const { kind, text } = readUserText(plainText(blocks));
  const isPrompt = kind === 'prompt' || blocks.some(({ type }) => type === 'image');
  return isPrompt ? { key: uuid, at, prompt: kind === 'prompt' ? text : '' } : undefined;
}
