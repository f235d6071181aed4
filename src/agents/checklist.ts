import type { Todo } from '../core/model/thread.js';

const states: Readonly<Record<string, Todo['state']>> = { '-': 'doing', x: 'done', X: 'done' };

/** The tasks of a list in Markdown: `- [x] done`, `- [-] under way`, `- [ ] open`. */
export const checklistIn = (markdown: string): readonly Todo[] =>
  [...markdown.matchAll(/^\s*(?:[-*]\s*)?\[([ xX-])\]\s*(.+?)\s*$/gm)].map(
    ([, mark = '', text = '']) => ({ text, state: states[mark] ?? 'open' }),
  );
