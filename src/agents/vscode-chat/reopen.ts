import type { Thread, Turn } from '../../core/model/thread.js';
import { objectsOf, textOf } from '../json.js';
import type { Fields } from '../json.js';

/** One earlier exchange, as `workbench.action.chat.open` takes them in `previousRequests`. */
export interface PreviousRequest {
  readonly request: string;
  readonly response: string;
}

/** The conversation as prompts and answers; tool calls and thinking have no place in this form. */
export function previousRequestsOf(thread: Thread): readonly PreviousRequest[] {
  const pairs: { request: string; answers: string[] }[] = [];
  for (const turn of thread.turns) {
    const text = wordsOf(turn);
    if (turn.role === 'user') pairs.push({ request: text, answers: [] });
    else if (turn.role === 'assistant' && text !== '') pairs.at(-1)?.answers.push(text);
  }
  return pairs
    .filter(({ request }) => request !== '')
    .map(({ request, answers }) => ({ request, response: answers.join('\n\n') }));
}

const wordsOf = ({ parts }: Turn): string =>
  parts
    .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
    .filter(Boolean)
    .join('\n\n');

/** What names one chat among others; an imported chat gets its own. */
const ownNames = new Set(['sessionId', 'version', 'creationDate', 'lastMessageDate', 'isImported']);

/**
 * The chat as `Chat: Export Chat…` writes it and `workbench.action.chat.import` reads it, or undefined
 * when nothing is in it. `chat` is the state of a {@link ChatParser}.
 */
export function exportedForm(chat: Fields | undefined): Fields | undefined {
  const requests = objectsOf(chat?.['requests']).filter(
    (request) => !request['shouldBeRemovedOnSend'] && request['message'] !== undefined,
  );
  if (chat === undefined || requests.length === 0) return undefined;
  const kept = Object.entries(chat).filter(([key]) => !ownNames.has(key));
  return {
    ...Object.fromEntries(kept),
    // VS Code takes only a file that has these two.
    responderUsername: textOf(chat['responderUsername']) ?? 'Chat',
    initialLocation: textOf(chat['initialLocation']) ?? 'panel',
    requests,
  };
}
