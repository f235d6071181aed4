import type { AgentId, Part } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { imageOfUrl, type ToolResult } from '../parts.js';
import { folderOfUri } from '../places.js';
import { sayingsParser } from '../sayingsParser.js';
import { tokenSayings, type Said, type Saying } from '../sayings.js';
import type { Source } from '../source.js';
import { usageWithin } from '../tokens.js';

/** A parser of sessions of Continue, and of a program made from it: each item of the history, then the rest. */
export const continueParser = (agent: AgentId): Source['parser'] =>
  sayingsParser({ agent, reader: () => readRecord });

function readRecord(record: Fields): Said {
  const message = fieldsOf(record['message']);
  if (message === undefined) {
    const tokens = usageWithin(record['usage']);
    const cost: readonly Saying[] = tokens === undefined ? [] : [{ kind: 'totalTokens', tokens }];
    return { says: [aboutSession(record), ...cost] };
  }
  const summary = textOf(record['conversationSummary']);
  const after: readonly Saying[] =
    summary === undefined ? [] : [{ kind: 'notice', notice: 'compaction', text: summary }];
  return { says: [...messageSayings(record, message), ...after] };
}

function aboutSession(record: Fields): Saying {
  const folder = textOf(record['workspaceDirectory']);
  return {
    kind: 'about',
    id: textOf(record['sessionId']),
    title: titleIn(record['title']),
    cwd: folder && folderOfUri(folder),
    model: textOf(record['chatModelTitle']),
  };
}

/** What a session is called before it has a title. */
const untitled = new Set(['Untitled Session', 'New Session']);

const titleIn = (title: unknown): string | undefined =>
  isString(title) && !untitled.has(title) ? textOf(title) : undefined;

function messageSayings(item: Fields, message: Fields): readonly Saying[] {
  const { content } = message;
  switch (message['role']) {
    case 'user':
      return [
        {
          kind: 'prompt',
          text: textIn(content).trim(),
          media: [...imagesIn(content), ...filesOf(item)],
        },
      ];
    case 'assistant':
      return answerSayings(item, message);
    case 'thinking':
      return [{ kind: 'thinking', text: textIn(content) }];
    case 'tool': {
      const result = { text: textIn(content), isError: false };
      return [{ kind: 'result', id: textOf(message['toolCallId']) ?? '', result }];
    }
    default:
      return [];
  }
}

function answerSayings(item: Fields, { content, toolCalls, usage }: Fields): readonly Saying[] {
  const reasoning = fieldsOf(item['reasoning']);
  const states = objectsOf(item['toolCallStates']);
  const calls = objectsOf(toolCalls).map((call): Saying => {
    const { name, arguments: given } = fieldsOf(call['function']) ?? {};
    return {
      kind: 'call',
      id: textOf(call['id']) ?? '',
      name: textOf(name) ?? '',
      input: inputOf(given),
    };
  });
  const text = textIn(content);
  return [
    { kind: 'answer', model: textOf(fieldsOf(usage)?.['model']) },
    ...(reasoning ? [{ kind: 'thinking', text: textOf(reasoning['text']) ?? '' } as const] : []),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...imagesIn(content).map((part): Saying => ({ kind: 'media', part })),
    ...calls,
    ...tokenSayings(usageWithin(usage)),
    ...states.flatMap(resultOf),
  ];
}

/** What tools answered stands with their calls; one that was refused may have no output. */
function resultOf(state: Fields): readonly Saying[] {
  const { status, output } = state;
  if (
    status !== 'done' &&
    status !== 'errored' &&
    !(status === 'canceled' && Array.isArray(output))
  ) {
    return [];
  }
  const result: ToolResult = {
    text: objectsOf(output)
      .map(({ content }) => textOf(content) ?? '')
      .join('\n'),
    isError: status !== 'done',
  };
  return [{ kind: 'result', id: textOf(state['toolCallId']) ?? '', result }];
}

/** Arguments are JSON in a text; a call that was cut off has them in part. */
function inputOf(given: unknown): unknown {
  if (!isString(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const textIn = (content: unknown): string =>
  isString(content)
    ? content
    : objectsOf(content)
        .map(({ text }) => textOf(text) ?? '')
        .join('');

const imagesIn = (content: unknown): readonly Part[] =>
  objectsOf(content).flatMap(({ imageUrl }) => {
    const url = textOf(fieldsOf(imageUrl)?.['url']);
    return url === undefined ? [] : [imageOfUrl(url)];
  });

/** What the person attached. */
const filesOf = (item: Fields): readonly Part[] =>
  objectsOf(item['contextItems']).map(({ name, uri }) => ({
    kind: 'attachment',
    name: textOf(name) ?? '',
    uri: textOf(fieldsOf(uri)?.['value']),
  }));
