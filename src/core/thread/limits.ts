import { codeBlock } from './markdown.js';
import { count, cut } from './text.js';

/** Characters that are shown of one prompt or answer, of a tool's input and result, of changes, of thinking. */
export const limits = {
  text: 200_000,
  input: 4_000,
  result: 4_000,
  changes: 20_000,
  thinking: 8_000,
  notice: 20_000,
};
export const summaryLength = 100;

/** How much is not shown. */
export const cutNote = (more: number): readonly string[] =>
  more === 0 ? [] : [`… ${count(more)} more ${more === 1 ? 'character' : 'characters'}`];

/** Text in a code block below a blank line, up to a limit. */
export function bounded(text: string, limit: number, language = ''): readonly string[] {
  if (text === '') return [];
  const { kept, more } = cut(text, limit);
  return ['', ...codeBlock(kept, language), ...cutNote(more)];
}
