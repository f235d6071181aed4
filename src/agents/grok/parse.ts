import { imagesIn, textsIn } from '../contentBlocks.js';
import { isString, objectsOf, textOf, type Fields } from '../json.js';
import { sayingsParser } from '../sayingsParser.js';
import type { RecordReader, Said, Saying } from '../sayings.js';
import { updateOf, updatesReader } from './updates.js';

export const agent = 'grok';

/**
 * A parser of `chat_history.jsonl`, what was said to the model and by it, without times; and of
 * `updates.jsonl`, what was shown while it was said.
 */
export const grokParser = sayingsParser({ agent, reader: grokReader });

function grokReader(): RecordReader {
  const updates = updatesReader();
  return (record) => (updateOf(record) === undefined ? readRecord(record) : updates(record));
}

function readRecord(record: Fields): Said {
  const { type, content, model_id: model } = record;
  switch (type) {
    case 'user':
      return { says: promptSayings(record) };
    case 'assistant': {
      const text = textIn(content);
      return {
        says: [
          { kind: 'answer', model: textOf(model) },
          ...(text === '' ? [] : [{ kind: 'text', text } as const]),
          ...objectsOf(record['tool_calls']).map(callSaying),
        ],
      };
    }
    case 'reasoning':
      return { says: [{ kind: 'thinking', text: thoughtIn(record) }] };
    case 'tool_result': {
      const result = { text: textIn(content), isError: record['is_error'] === true };
      return { says: [{ kind: 'result', id: textOf(record['tool_call_id']) ?? '', result }] };
    }
    default:
      return { says: [] };
  }
}

/** What the program says in the person's name gives a reason. */
function promptSayings(record: Fields): readonly Saying[] {
  const { content, synthetic_reason: reason } = record;
  const text = textIn(content).trim().replace(query, '$1').trim();
  const media = imagesIn(content);
  const isTyped = !isString(reason) && (text !== '' || media.length > 0);
  return isTyped ? [{ kind: 'prompt', text, media }] : [];
}

/** Some versions frame what was typed. */
const query = /^<user_query>([\s\S]*)<\/user_query>$/;

const textIn = (content: unknown): string => textsIn(content).join('\n');

/** Thoughts that the service keeps for itself leave at most a summary. */
const thoughtIn = ({ content, summary, text }: Fields): string =>
  textOf(text) ??
  (textIn(content) ||
    objectsOf(summary)
      .map((part) => textOf(part['text']) ?? '')
      .join('\n'));

function callSaying({ id, name, arguments: given }: Fields): Saying {
  return { kind: 'call', id: textOf(id) ?? '', name: textOf(name) ?? '', input: inputOf(given) };
}

/** Arguments are JSON in a text. */
function inputOf(given: unknown): unknown {
  if (!isString(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
