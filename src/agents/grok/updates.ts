import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { RecordReader, Saying } from '../sayings.js';

/** The update in a notification of the Agent Client Protocol (`session/update`). */
export const updateOf = (record: Fields): Fields | undefined => {
  const update = fieldsOf(fieldsOf(record['params'])?.['update']);
  return isString(update?.['sessionUpdate']) ? update : undefined;
};

/** Reads notifications in order: texts come in chunks, and a run of chunks of one kind is one text. */
export function updatesReader(): RecordReader {
  let before: unknown;
  return (record) => {
    const update = updateOf(record) ?? {};
    const kind = update['sessionUpdate'];
    const isMore = kind === before;
    if (said.has(kind)) before = kind;
    return {
      times: [timeOf(record['timestamp'])],
      says: [
        { kind: 'about', id: textOf(fieldsOf(record['params'])?.['sessionId']) },
        ...sayings(kind, update, isMore),
      ],
    };
  };
}

/** What else is told in between, such as a change of the mode, does not part one text from its other half. */
const said = new Set<unknown>([
  ...['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'],
  ...['tool_call', 'tool_call_update'],
]);

/** Seconds in some versions. */
const timeOf = (time: unknown): unknown =>
  typeof time === 'number' && time < 1e11 ? time * 1000 : time;

function sayings(kind: unknown, update: Fields, isMore: boolean): readonly Saying[] {
  const text = textIn(update['content']);
  const id = textOf(update['toolCallId']) ?? '';
  switch (kind) {
    case 'user_message_chunk':
      return [{ kind: 'prompt', text, isMore }];
    case 'agent_message_chunk':
      return [...(isMore ? [] : [{ kind: 'answer' } as const]), { kind: 'text', text, isMore }];
    case 'agent_thought_chunk':
      return [{ kind: 'thinking', text, isMore }];
    case 'tool_call': {
      const name = textOf(update['title']) ?? textOf(update['kind']) ?? '';
      return [{ kind: 'call', id, name, input: update['rawInput'] }];
    }
    case 'tool_call_update':
      return resultSayings(id, update);
    default:
      return [];
  }
}

function resultSayings(id: string, update: Fields): readonly Saying[] {
  const { status, rawOutput } = update;
  if (status !== 'completed' && status !== 'failed') return [];
  const shown = objectsOf(update['content']).map(({ content }) => textIn(content));
  const output =
    rawOutput === undefined || isString(rawOutput) ? rawOutput : JSON.stringify(rawOutput);
  const text = shown.join('\n') || (output ?? '');
  return [{ kind: 'result', id, result: { text, isError: status === 'failed' } }];
}

const textIn = (content: unknown): string => textOf(fieldsOf(content)?.['text']) ?? '';
