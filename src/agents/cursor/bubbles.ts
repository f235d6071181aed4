import type { Part, Todo } from '../../core/model/thread.js';
import { fieldsOf, isFields, isString, momentIn, objectsOf, textOf, type Fields } from '../json.js';
import { callParts, textParts } from '../parts.js';
import { chatImage } from '../vscode-chat/images.js';
import { pathOfUri, uriOf } from '../vscode-chat/values.js';
import { typedIn } from './prompt.js';
import { usageApart } from '../tokens.js';
import type { Step } from '../sqlite/steps.js';

/** Kinds of bubbles; what else there may be one day is kept and not shown. */
const userBubble = 1;
const answerBubble = 2;

export function stepOfBubble(id: string, bubble: Fields): Omit<Step, 'place'> {
  const { type } = bubble;
  const at = timeOfBubble(bubble);
  if (type === userBubble) {
    const typed = typedIn(textOf(bubble['text']) ?? '');
    const parts = [...textParts(typed), ...attachments(bubble)];
    return { id, role: parts.length > 0 ? 'user' : 'none', at, typed, parts };
  }
  if (type !== answerBubble) return { id, role: 'none', parts: [] };
  const model = textOf(fieldsOf(bubble['modelInfo'])?.['modelName']);
  const thinking = fieldsOf(bubble['thinking']);
  const parts: readonly Part[] = [
    ...(thinking ? [{ kind: 'thinking', text: textOf(thinking['text']) ?? '' } as const] : []),
    ...textParts(textOf(bubble['text'])),
    ...toolParts(id, fieldsOf(bubble['toolFormerData'])),
  ];
  const tokens = usageApart(bubble['tokenCount']);
  return { id, role: 'assistant', at, model, tokens, parts };
}

/** Newer ones say when they were made, older ones when the answer began. */
export function timeOfBubble(bubble: Fields): number | undefined {
  const timing = fieldsOf(bubble['timingInfo']);
  const times = [bubble['createdAt'], timing?.['clientStartTime'], timing?.['clientRpcSendTime']];
  return times.map(momentOf).find((at) => at !== undefined);
}

/** Milliseconds since the epoch, of a number or an ISO time; counters from a process's start are none. */
export function momentOf(value: unknown): number | undefined {
  const at = momentIn(value);
  return at !== undefined && at > Date.UTC(2020) ? at : undefined;
}

function toolParts(bubbleId: string, tool: Fields | undefined): readonly Part[] {
  const name = textOf(tool?.['name']);
  if (tool === undefined || name === undefined) return [];
  const id = textOf(tool['toolCallId']) ?? bubbleId;
  const input = parsed(tool['rawArgs'] ?? tool['params']);
  const result = tool['result'] === '' ? undefined : tool['result'];
  const isError = tool['status'] === 'error';
  const isAnswered = isError || (result !== undefined && result !== null);
  const text = isAnswered ? shown(parsed(result ?? tool['error'] ?? '')) : '';
  return callParts({ id, name, input }, isAnswered ? { text, isError } : undefined);
}

/** Results are JSON of each tool's own shape; most have their words in one of these members. */
function shown(result: unknown): string {
  if (isString(result)) return result;
  if (!isFields(result)) return JSON.stringify(result);
  const words = ['contents', 'output', 'result', 'message', 'error'].map((key) => result[key]);
  return words.find(isString) ?? JSON.stringify(result);
}

function parsed(value: unknown): unknown {
  if (!isString(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function attachments(bubble: Fields): readonly Part[] {
  const context = fieldsOf(bubble['context']) ?? {};
  const files = [...objectsOf(context['fileSelections']), ...objectsOf(context['selections'])];
  return [
    ...imagesOf(bubble, context),
    ...files.flatMap((file) => {
      const uri = uriOf(file['uri']);
      return uri === undefined ? [] : [{ kind: 'attachment', name: pathOfUri(uri), uri } as const];
    }),
  ];
}

/**
 * Pictures that were pasted: their bytes (as text or as an object of numbered ones), or the file that the editor put
 * them into. Newer versions name them a second time, in the context.
 */
function imagesOf(bubble: Fields, context: Fields): readonly Part[] {
  const seen = new Set<string>();
  const all = [...objectsOf(bubble['images']), ...objectsOf(context['selectedImages'])];
  return all.flatMap((image): readonly Part[] => {
    const path = textOf(image['path']);
    const key = textOf(image['uuid']) ?? path;
    if (key !== undefined && seen.has(key)) return [];
    if (key !== undefined) seen.add(key);
    const part = chatImage(textOf(image['mimeType']), image, true);
    return [path === undefined ? part : { ...part, name: path }];
  });
}

export const todosOf = (composer: Fields): readonly Todo[] =>
  objectsOf(composer['todos']).flatMap((todo) => {
    const text = textOf(todo['content']);
    return text === undefined
      ? []
      : [{ text, state: states[textOf(todo['status']) ?? ''] ?? 'open' }];
  });

const states: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'doing',
  completed: 'done',
  cancelled: 'done',
};
