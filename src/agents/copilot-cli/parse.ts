import type { Part } from '../../core/model/thread.js';
import { checklistIn } from '../checklist.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { imagePart, type ToolResult } from '../parts.js';
import { sayingsParser } from '../sayingsParser.js';
import { tokenSayings, type RecordReader, type Saying } from '../sayings.js';
import { usageApart } from '../tokens.js';

export const agent = 'copilot-cli';

/** A parser of a session's events; those that VS Code's extension writes have the same form. */
export const copilotParser = sayingsParser({ agent, reader: eventReader });

function eventReader(): RecordReader {
  const state: State = { thoughts: new ThoughtPairs(), accounted: new Set(), answer: undefined };
  return (record) => {
    const data = fieldsOf(record['data']) ?? {};
    return {
      id: textOf(record['id']),
      parent: textOf(record['parentId']),
      times: [record['timestamp']],
      says: isToSubagent(record, data) ? [] : eventSayings(record['type'], data, state),
    };
  };
}

/** A subagent's task stands in the same log, in the person's name. */
const isToSubagent = ({ type, agentId }: Fields, { parentToolCallId }: Fields): boolean =>
  type === 'user.message' && (isString(agentId) || isString(parentToolCallId));

interface State {
  readonly thoughts: ThoughtPairs;
  /** Calls of the model of which an account was given. */
  readonly accounted: Set<string>;
  /** The newest answer's id. */
  answer: string | undefined;
}

function eventSayings(type: unknown, data: Fields, state: State): readonly Saying[] {
  switch (type) {
    case 'session.start':
    case 'session.resume':
      return [aboutSession(data)];
    case 'session.model_change':
      return [{ kind: 'about', model: textOf(data['newModel']) }];
    case 'session.title_changed':
      return [{ kind: 'about', title: textOf(data['title']) }];
    case 'user.message':
      return promptSayings(data);
    case 'assistant.message':
      state.answer = textOf(data['messageId']);
      return answerSayings(data, state);
    // An answer itself only says what was written.
    case 'assistant.usage':
      return tokenSayings(usageApart(data), state.answer);
    case 'session.usage_record':
      return usageSayings(fieldsOf(data['usage']) ?? {}, state);
    case 'assistant.reasoning':
      return state.thoughts.said('event', textOf(data['content']) ?? '');
    case 'tool.execution_start':
      return callSayings(data['toolCallId'], data['toolName'], data['arguments']);
    case 'tool.execution_complete':
      return resultSayings(data);
    case 'session.compaction_complete':
      return [notice('compaction', data['summaryContent'] ?? data['summary'])];
    case 'session.truncation':
      return [notice('compaction', undefined)];
    case 'session.error':
      return [notice('error', data['message'])];
    case 'abort':
      return [notice('interrupted', data['reason']), atRest];
    case 'session.task_complete':
    case 'session.shutdown':
      return [atRest];
    default:
      return [];
  }
}

const atRest: Saying = { kind: 'working', is: false };

const notice = (kind: 'compaction' | 'error' | 'interrupted', text: unknown): Saying => {
  return { kind: 'notice', notice: kind, text: textOf(text) ?? '' };
};

function aboutSession(data: Fields): Saying {
  const context = fieldsOf(data['context']) ?? {};
  return {
    kind: 'about',
    id: textOf(data['sessionId']),
    cwd: textOf(context['cwd']),
    branch: textOf(context['branch']),
    version: textOf(data['copilotVersion']),
    model: textOf(data['selectedModel']),
  };
}

/** What the program says in the person's name names its source. */
function promptSayings(data: Fields): readonly Saying[] {
  const source = textOf(data['source']) ?? 'user';
  if (source !== 'user') return [];
  const media = objectsOf(data['attachments']).map((file): Part => {
    const type = textOf(file['mimeType']) ?? '';
    const image = type.startsWith('image/') && isString(file['data']);
    if (image) return { ...imagePart(type, file['data']), name: textOf(file['displayName']) };
    const path = textOf(file['path']) ?? textOf(file['filePath']);
    if (type.startsWith('image/')) return { ...imagePart(type, undefined), name: path };
    return { kind: 'attachment', name: textOf(file['displayName']) ?? path ?? '', uri: path };
  });
  return [{ kind: 'prompt', text: (textOf(data['content']) ?? '').trim(), media }];
}

/** The account of a call of the model stands before the answer that it gave. */
function usageSayings(usage: Fields, state: State): readonly Saying[] {
  const id = textOf(usage['apiCallId']);
  if (id !== undefined) state.accounted.add(id);
  return tokenSayings(usageApart(usage), id);
}

function answerSayings(data: Fields, { thoughts, accounted }: State): readonly Saying[] {
  const { messageId, model, reasoningText, reasoningOpaque, toolRequests } = data;
  const text = textOf(data['content']) ?? '';
  const thinks = textOf(reasoningText) !== undefined || textOf(reasoningOpaque) !== undefined;
  return [
    { kind: 'answer', key: textOf(messageId), model: textOf(model) },
    ...(accounted.has(textOf(data['apiCallId']) ?? '')
      ? []
      : tokenSayings(usageApart(data), textOf(messageId))),
    ...(thinks ? thoughts.said('answer', textOf(reasoningText) ?? '') : []),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...objectsOf(toolRequests).flatMap((request) =>
      callSayings(request['toolCallId'], request['name'], request['arguments']),
    ),
  ];
}

/**
 * A thought may be an event of its own and stand in the answer, too: one of each are one thought. The same words
 * thought again in another answer are another.
 */
class ThoughtPairs {
  private readonly alone = { event: new Map<string, number>(), answer: new Map<string, number>() };

  said(where: 'event' | 'answer', text: string): readonly Saying[] {
    const other = this.alone[where === 'event' ? 'answer' : 'event'];
    const waiting = other.get(text) ?? 0;
    if (waiting > 0 && text !== '') {
      other.set(text, waiting - 1);
      return [];
    }
    this.alone[where].set(text, (this.alone[where].get(text) ?? 0) + 1);
    return [{ kind: 'thinking', text }];
  }
}

function callSayings(id: unknown, name: unknown, given: unknown): readonly Saying[] {
  const input = inputOf(given);
  const call: Saying = { kind: 'call', id: textOf(id) ?? '', name: textOf(name) ?? '', input };
  const list = name === 'update_todo' ? textOf(fieldsOf(input)?.['todos']) : undefined;
  return list === undefined ? [call] : [call, { kind: 'todos', todos: checklistIn(list) }];
}

/** Arguments are an object, or its JSON. */
function inputOf(given: unknown): unknown {
  if (!isString(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function resultSayings(data: Fields): readonly Saying[] {
  const { content, detailedContent } = fieldsOf(data['result']) ?? {};
  const error = fieldsOf(data['error'])?.['message'] ?? data['error'];
  // A command that fails is a success of the tool.
  const exitCode = fieldsOf(data['shellExecution'])?.['exitCode'] ?? 0;
  const result: ToolResult = {
    text: textOf(content) ?? textOf(detailedContent) ?? textOf(error) ?? '',
    isError: data['success'] === false || error !== undefined || exitCode !== 0,
  };
  return [
    { kind: 'about', model: textOf(data['model']) },
    { kind: 'result', id: textOf(data['toolCallId']) ?? '', result },
  ];
}
