import type { Part, Todo, Tokens, Turn } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf } from '../json.js';
import type { Fields } from '../json.js';
import { usageWithin } from '../tokens.js';
import { afterEditFence, withoutEditFence } from './editFences.js';
import { chatImage } from './images.js';
import { callsOf, mediaOf, plainId, toToolCall } from './toolCalls.js';
import type { Call } from './toolCalls.js';
import { momentOf, nameOfUri, pathOfUri, uriOf, wordsOf } from './values.js';

/** `modelState.value` of a request (microsoft/vscode, ResponseModelState). */
export const ModelState = {
  pending: 0,
  complete: 1,
  cancelled: 2,
  failed: 3,
  needsInput: 4,
} as const;

export const modelStateOf = (request: Fields): unknown =>
  fieldsOf(request['modelState'])?.['value'];

/** What the person wrote; very old files keep the message as plain text. */
export function promptOf(request: Fields): string {
  const message = request['message'];
  if (isString(message)) return message;
  const text = fieldsOf(message)?.['text'];
  if (isString(text)) return text;
  return objectsOf(fieldsOf(message)?.['parts'])
    .map((part) => wordsOf(part['text']))
    .join('');
}

/**
 * The host sends requests too, such as the news that a command in a terminal ended; one without a
 * message is what is left of a request whose own line was lost.
 */
export const isHuman = (request: Fields): boolean =>
  request['isSystemInitiated'] !== true &&
  request['hiddenFromTranscript'] !== true &&
  request['message'] !== undefined;

/** The text of a part that is part of the running answer, undefined for any other part. */
export function markdownOf(part: Fields): string | undefined {
  switch (part['kind']) {
    case undefined:
      return wordsOf(part);
    case 'markdownContent':
    case 'markdownVuln':
      return wordsOf(part['content'] ?? part);
    case 'inlineReference':
      return referenceText(part);
    default:
      return undefined;
  }
}

/** Thinking that says something; an empty part only marks where thinking ended. */
export const thinkingOf = (part: Fields): string | undefined =>
  part['kind'] === 'thinking' ? wordsOf(part['value']) || undefined : undefined;

function referenceText(part: Fields): string {
  const reference = part['inlineReference'];
  const uri = uriOf(reference) ?? uriOf(fieldsOf(reference)?.['location']);
  const name =
    textOf(part['name']) ?? textOf(fieldsOf(reference)?.['name']) ?? (uri ? nameOfUri(uri) : '');
  return name === '' ? '' : `\`${name}\``;
}

/** What a request cost; only newer versions write it down. */
export const tokensOf = (request: Fields): Tokens | undefined =>
  usageWithin(fieldsOf(request['result'])?.['usage'] ?? request['usage']);

export function turnsOf(request: Fields, images?: boolean): readonly Turn[] {
  const id = textOf(request['requestId']) ?? '';
  const at = momentOf(request['timestamp']);
  const model = textOf(request['modelId']);
  const asked: Turn = {
    id,
    role: isHuman(request) ? 'user' : 'system',
    at,
    parts: [{ kind: 'text', text: promptOf(request) }, ...attachmentsOf(request, images)],
  };
  // Without a message, the line that held the request was lost, and its answer was not.
  const asking = request['message'] === undefined ? [] : [asked];
  const parts = answerOf(request, images);
  if (parts.length === 0) return asking;
  const ended = momentOf(fieldsOf(request['modelState'])?.['completedAt']);
  const answerId = textOf(request['responseId']) ?? `${id}/answer`;
  const tokens = tokensOf(request);
  const answer = { id: answerId, role: 'assistant', at: ended ?? at, model, parts } as const;
  return [...asking, tokens === undefined ? answer : { ...answer, tokens }];
}

function attachmentsOf(request: Fields, images: boolean | undefined): readonly Part[] {
  const parts: Part[] = [];
  for (const variable of objectsOf(fieldsOf(request['variableData'])?.['variables'])) {
    const { kind, value, mimeType, automaticallyAdded } = variable;
    // Instructions and the like that VS Code adds to every request are not what a person attached.
    if (kind === 'workspace' || automaticallyAdded === true) continue;
    const uri = uriOf(value);
    // Names of references typed into the prompt begin with their kind, as in `file:index.ts`.
    const name =
      textOf(variable['name'])?.replace(/^(file|folder|sym):/, '') ??
      (uri === undefined ? undefined : nameOfUri(uri));
    if (kind === 'image') {
      parts.push({ ...chatImage(textOf(mimeType), value, images), name });
    } else if (name !== undefined) {
      parts.push({ kind: 'attachment', name, uri });
    }
  }
  return parts;
}

function answerOf(request: Fields, images: boolean | undefined): readonly Part[] {
  const { calls } = callsOf(request);
  const byId = new Map(calls.map((call) => [call.id, call]));
  const parts: Part[] = [];
  let text = '';
  const flush = () => {
    if (text.trim() !== '') parts.push({ kind: 'text', text });
    text = '';
  };
  let closesFence = false;
  for (const part of objectsOf(request['response'])) {
    const words = markdownOf(part);
    if (words !== undefined) {
      text += closesFence ? afterEditFence(words) : words;
      closesFence &&= words.trim() === '';
      continue;
    }
    if (part['kind'] === 'textEditGroup' || part['kind'] === 'notebookEditGroup') {
      ({ text, isOpen: closesFence } = withoutEditFence(text));
    }
    const id = textOf(part['toolCallId']);
    const call = id === undefined ? undefined : byId.get(plainId(id));
    const shown =
      part['kind'] === 'toolInvocationSerialized' ? call && toToolCall(call) : partOf(part);
    if (call) byId.delete(call.id);
    if (!shown || (call && isInner(call))) continue;
    flush();
    parts.push(shown, ...(call ? mediaOf(call, images) : []));
  }
  flush();
  const unseen = [...byId.values()].flatMap((call) => [toToolCall(call), ...mediaOf(call, images)]);
  parts.push(...unseen, ...outcomeOf(request));
  return parts;
}

/** A tool that another tool ran, without a trace on screen. */
const isInner = ({ part, round, result }: Call): boolean =>
  part?.['presentation'] === 'hidden' && round === undefined && result === undefined;

function partOf(part: Fields): Part | undefined {
  switch (part['kind']) {
    case 'thinking': {
      const text = thinkingOf(part);
      return text === undefined ? undefined : { kind: 'thinking', text };
    }
    case 'textEditGroup':
    case 'notebookEditGroup': {
      const uri = uriOf(part['uri']);
      const edits = Array.isArray(part['edits']) ? part['edits'].flat().length : 0;
      const many = edits === 1 ? '1 change' : `${edits} changes`;
      return notice(`Edited ${uri === undefined ? 'a file' : pathOfUri(uri)} (${many})`);
    }
    case 'confirmation':
    case 'elicitationSerialized': {
      const title = wordsOf(part['title']);
      return title === '' ? undefined : notice(title);
    }
    case 'questionCarousel': {
      const asked = objectsOf(part['questions']).map(
        (question) => wordsOf(question['message']) || wordsOf(question['title']),
      );
      const text = asked.filter(Boolean).join('\n');
      return text === '' ? undefined : notice(text);
    }
    case 'warning': {
      const text = wordsOf(part['content']);
      return text === '' ? undefined : notice(text);
    }
    default:
      return undefined;
  }
}

const notice = (text: string): Part => ({ kind: 'notice', notice: 'info', text });

/** How the answer ended, where it did not end well. */
function outcomeOf(request: Fields): readonly Part[] {
  const message = wordsOf(fieldsOf(fieldsOf(request['result'])?.['errorDetails'])?.['message']);
  const cancelled =
    request['isCanceled'] === true || modelStateOf(request) === ModelState.cancelled;
  if (cancelled) return [{ kind: 'notice', notice: 'interrupted', text: message || 'Canceled' }];
  return message === '' ? [] : [{ kind: 'notice', notice: 'error', text: message }];
}

/** The newest list of tasks that the answer shows, if it shows one. */
export function todosOf(request: Fields): readonly Todo[] | undefined {
  let newest: readonly Fields[] | undefined;
  for (const part of objectsOf(request['response'])) {
    const specific = fieldsOf(part['toolSpecificData']);
    if (specific?.['kind'] === 'todoList') newest = objectsOf(specific['todoList']);
  }
  return newest?.map((todo) => ({
    text: textOf(todo['title']) ?? wordsOf(todo['description']),
    state: todoState(todo['status']),
  }));
}

function todoState(status: unknown): Todo['state'] {
  if (status === 'completed') return 'done';
  return status === 'in-progress' ? 'doing' : 'open';
}
