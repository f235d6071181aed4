import type { Todo } from '../model/thread.js';
import { escapeMarkdown } from './markdown.js';
import { oneLine } from './text.js';

/** Todos as a list with boxes. */
export const todoLines = (todos: readonly Todo[]): readonly string[] =>
  todos.map(({ text, state }) => {
    const note = state === 'doing' ? ' (in progress)' : '';
    return `- [${state === 'done' ? 'x' : ' '}] ${escapeMarkdown(oneLine(text, 500))}${note}`;
  });
