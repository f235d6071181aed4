import { imagesIn, textsIn } from '../contentBlocks.js';
import { fieldsOf, isString, textOf, type Fields } from '../json.js';
import type { ToolResult } from '../parts.js';
import { sayingsParser } from '../sayingsParser.js';
import { tokenSayings, type Said, type Saying } from '../sayings.js';
import { usageApart } from '../tokens.js';
import { partSayings } from './content.js';
import { isContextRecord, readContext } from './context.js';
import { readWire, wireMessage } from './wire.js';

export const agent = 'kimi';

/**
 * A parser of `wire.jsonl`: prompts, and the events of the loop that answers them, in either program's form; and of
 * `context.jsonl`.
 */
export const kimiParser = sayingsParser({ agent, reader: () => readRecord });

function readRecord(record: Fields): Said {
  const message = wireMessage(record);
  if (message !== undefined) return readWire(record, message);
  if (isContextRecord(record)) return readContext(record);
  return { times: [record['time'], record['created_at']], says: sayings(record) };
}

function sayings(record: Fields): readonly Saying[] {
  const { type } = record;
  switch (type) {
    case 'turn.prompt':
      return promptSayings(record);
    case 'context.append_loop_event':
      return eventSayings(fieldsOf(record['event']) ?? {});
    case 'llm.request':
      return [{ kind: 'about', model: textOf(record['modelAlias']) ?? textOf(record['model']) }];
    case 'usage.record':
      return tokenSayings(usageApart(record['usage'] ?? record['token_usage'] ?? record));
    case 'turn.ended':
      return [{ kind: 'working', is: false }];
    default:
      return isString(type) && /^full_compaction\.(?:end|complete)/.test(type)
        ? [{ kind: 'notice', notice: 'compaction', text: textOf(record['summary']) ?? '' }]
        : [];
  }
}

/** Timers and other agents prompt, too: a prompt says where it comes from. */
function promptSayings({ input, origin }: Fields): readonly Saying[] {
  const kind = textOf(fieldsOf(origin)?.['kind']) ?? 'user';
  const [text, media] = [textsIn(input).join('\n').trim(), imagesIn(input)];
  return kind === 'user' ? [{ kind: 'prompt', text, media }] : [];
}

function eventSayings(event: Fields): readonly Saying[] {
  const id = textOf(event['toolCallId']) ?? '';
  switch (event['type']) {
    case 'step.begin':
      return [{ kind: 'answer' }];
    case 'content.part':
      return partSayings(fieldsOf(event['part']) ?? {});
    case 'tool.call':
      return [{ kind: 'call', id, name: textOf(event['name']) ?? '', input: event['args'] }];
    case 'tool.result':
      return [{ kind: 'result', id, result: resultIn(event) }];
    default:
      return [];
  }
}

function resultIn({ result }: Fields): ToolResult {
  const { output, isError } = fieldsOf(result) ?? {};
  const text = isString(output) ? output : textsIn(output).join('\n');
  return { text, isError: isError === true, media: imagesIn(output) };
}
