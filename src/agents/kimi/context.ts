import { blocksOf, imagesIn, textsIn } from '../contentBlocks.js';
import { isString, objectsOf, textOf, type Fields } from '../json.js';
import type { Said, Saying } from '../sayings.js';
import { functionCall, kimiText, partSayings } from './content.js';

/*
 * `context.jsonl` of Kimi CLI: what its model sees, a message a line, without times. It is what there is of a session
 * where the log of events is not.
 */

/** Roles of records that are no messages. */
const marks = new Set<unknown>(['_checkpoint', '_usage', '_system_prompt']);

export const isContextMark = ({ role }: Fields): boolean => marks.has(role);

export const isContextRecord = (record: Fields): boolean =>
  isString(record['role']) &&
  ('content' in record || 'tool_calls' in record || isContextMark(record));

export const readContext = (record: Fields): Said => ({ says: sayings(record) });

function sayings(record: Fields): readonly Saying[] {
  const { role, content } = record;
  switch (role) {
    case 'user': {
      const [text, media] = [kimiText(content).trim(), imagesIn(content)];
      return text === '' && media.length === 0 ? [] : [{ kind: 'prompt', text, media }];
    }
    case 'assistant':
      return [
        { kind: 'answer' },
        ...blocksOf(content).flatMap(partSayings),
        ...objectsOf(record['tool_calls']).map(functionCall),
      ];
    case 'tool': {
      const text = textsIn(content).join('\n');
      const isError = /^<system>ERROR:/.test(text);
      const result = { text, isError, media: imagesIn(content) };
      return [{ kind: 'result', id: textOf(record['tool_call_id']) ?? '', result }];
    }
    default:
      return [];
  }
}
