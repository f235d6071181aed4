import type { Thread, Turn } from '../../core/model/thread.js';

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
