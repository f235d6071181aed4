import { textsIn } from '../contentBlocks.js';
import { fieldsOf, isString, textOf, type Fields } from '../json.js';
import type { Saying } from '../sayings.js';

/** What the program says in the person's name stands in elements of its own. */
const injected = /^\s*<(?:system|system-reminder|notification)\b/;

/** The texts of a message that a person typed, as one. */
export const kimiText = (content: unknown): string =>
  textsIn(content)
    .filter((text) => !injected.test(text))
    .join('\n');

export function partSayings({ type, text, think }: Fields): readonly Saying[] {
  if (type === 'think') return [{ kind: 'thinking', text: textOf(think) ?? '' }];
  return type === 'text' ? [{ kind: 'text', text: textOf(text) ?? '' }] : [];
}

/** A call in the form of OpenAI's API: its arguments are JSON in a text, in part where it was cut off. */
export function functionCall({ id, function: called }: Fields): Saying {
  const { name, arguments: given } = fieldsOf(called) ?? {};
  return { kind: 'call', id: textOf(id) ?? '', name: textOf(name) ?? '', input: inputOf(given) };
}

function inputOf(given: unknown): unknown {
  if (!isString(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
