import { fieldsOf, isString, objectsOf, textOf } from '../json.js';
import { promptOf, markdownOf } from './turns.js';

/** One earlier exchange, as `workbench.action.chat.open` takes them in `previousRequests`. */
export interface PreviousRequest {
  readonly request: string;
  readonly response: string;
}

/** The prompts and answers of a chat in its exported form (JSON): older versions of VS Code take no more of it. */
export const previousRequestsIn = (chat: string): readonly PreviousRequest[] =>
  objectsOf(fieldsOf(JSON.parse(chat))?.['requests'])
    .map((request) => ({
      request: promptOf(request).trim(),
      response: objectsOf(request['response'])
        .map((part) => textOf(markdownOf(part)?.trim()))
        .filter(isString)
        .join('\n\n'),
    }))
    .filter(({ request }) => request !== '');
