import type { Part, Todo } from '../../core/model/thread.js';
import {
  genAiCall,
  genAiMedia,
  genAiParts,
  isThought,
  saidIn,
  thoughtOf,
  typedIn,
} from '../genAi.js';
import { textOf, type Fields } from '../json.js';
import { callParts, textParts, type ToolResult } from '../parts.js';
import { TurnList, type TurnOrigin } from '../turnList.js';
import {
  callsOf,
  promptOf,
  resultsOf,
  roleOf,
  summaryOf,
  thoughtsOf,
  todoInput,
  type Call,
} from './message.js';

export interface ShownMessage extends TurnOrigin {
  readonly fields: Fields;
}

/** Makes turns of a session's messages; those that were summarized since come first. */
export function buildTurns(
  summarized: readonly ShownMessage[],
  live: readonly ShownMessage[],
): TurnList['turns'] {
  const results = new Map<string, ToolResult>();
  for (const { fields } of [...summarized, ...live]) {
    for (const result of resultsOf(fields)) results.set(result.id, result);
  }
  const list = new TurnList();
  for (const message of summarized) addMessage(list, message, results);
  if (list.turns.length > 0) list.compaction('', {});
  for (const message of live) addMessage(list, message, results);
  return list.turns;
}

function addMessage(
  list: TurnList,
  { fields, ...origin }: ShownMessage,
  results: ReadonlyMap<string, ToolResult>,
): void {
  const role = roleOf(fields);
  if (role === 'model') list.open('assistant', origin, answerParts(fields, results));
  else if (role === 'user') addUser(list, fields, origin);
  else {
    const text = genAiParts(fields['content']).map(saidIn).join('');
    list.notice(fields['type'] === 'error' ? 'error' : 'info', text, origin);
  }
}

function addUser(list: TurnList, message: Fields, origin: TurnOrigin): void {
  const summary = summaryOf(message);
  const prompt = promptOf(message);
  if (summary !== undefined) list.compaction(summary, origin);
  else if (prompt !== undefined) {
    const text = typedIn(prompt);
    list.open('user', origin, [...textParts(text), ...prompt.flatMap(genAiMedia)]);
  }
}

/** Thoughts and calls stand beside the content, or, in a resumed session, in it and in its order. */
function answerParts(message: Fields, results: ReadonlyMap<string, ToolResult>): readonly Part[] {
  const content = genAiParts(message['content']);
  const shown = (call: Call): readonly Part[] => callParts(call, results.get(call.id));
  const within = content.flatMap((part): readonly Part[] => {
    if (isThought(part)) return [{ kind: 'thinking', text: thoughtOf(part) }];
    const call = genAiCall(part);
    return call ? shown(call) : [...textParts(textOf(part['text'])), ...genAiMedia(part)];
  });
  const inContent = new Set(content.flatMap((part) => genAiCall(part)?.id ?? []));
  const thoughts = content.some(isThought) ? [] : thoughtsOf(message);
  return [
    ...thoughts.map((text) => ({ kind: 'thinking', text }) as const),
    ...within,
    ...callsOf(message)
      .filter(({ id }) => !inContent.has(id))
      .flatMap(shown),
  ];
}

const states: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'doing',
  completed: 'done',
};

/** The list that the newest of the calls sets; what was cancelled is not left to do. */
export function todosOf(calls: readonly Call[]): readonly Todo[] | undefined {
  const newest = calls.map(todoInput).findLast((todos) => todos !== undefined);
  return newest?.flatMap(({ description, status }) => {
    const text = textOf(description);
    if (text === undefined || status === 'cancelled') return [];
    return [{ text, state: states[textOf(status) ?? ''] ?? 'open' }];
  });
}
