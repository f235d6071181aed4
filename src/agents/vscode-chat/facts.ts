import type { Todo, Tokens } from '../../core/model/thread.js';
import { fieldsOf, objectsOf, textOf } from '../json.js';
import type { Fields } from '../json.js';
import { callsOf } from './toolCalls.js';
import { isHuman, markdownOf, promptOf, thinkingOf, todosOf, tokensOf } from './turns.js';
import { momentOf } from './values.js';

/** What one request adds to the thread's counts. */
export interface RequestFacts {
  readonly id: string | undefined;
  readonly prompt: string | undefined;
  readonly answered: boolean;
  readonly thinkingBlocks: number;
  readonly calls: readonly { readonly id: string; readonly matched: boolean }[];
  readonly orphans: readonly string[];
  readonly model: string | undefined;
  readonly times: readonly number[];
  readonly todos: readonly Todo[] | undefined;
  readonly version: string | undefined;
  readonly tokens: Tokens | undefined;
}

export function factsOf(request: Fields): RequestFacts {
  const response = objectsOf(request['response']);
  const { calls, orphans } = callsOf(request);
  const ended = fieldsOf(request['modelState'])?.['completedAt'];
  return {
    id: textOf(request['requestId']),
    prompt: isHuman(request) ? promptOf(request).trim() : undefined,
    answered: response.some((part) => (markdownOf(part) ?? '').trim() !== ''),
    thinkingBlocks: response.filter((part) => thinkingOf(part) !== undefined).length,
    calls: calls.map(({ id, result }) => ({ id, matched: result !== undefined })),
    orphans,
    model: textOf(request['modelId']),
    times: [momentOf(request['timestamp']), momentOf(ended)].filter((at) => at !== undefined),
    todos: todosOf(request),
    tokens: tokensOf(request),
    version: textOf(fieldsOf(request['agent'])?.['extensionVersion']),
  };
}
