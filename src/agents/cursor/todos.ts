import type { Part, Todo } from '../../core/model/thread.js';
import { fieldsOf, objectsOf, textOf, type Fields } from '../json.js';
import { todosOf } from './bubbles.js';

/** The list that calls of Cursor's tool lead to: one that merges names only what changes of it. */
export class TodoFold {
  private items: ReadonlyMap<string, Fields> = new Map();

  get todos(): readonly Todo[] {
    return todosOf({ todos: [...this.items.values()] });
  }

  take(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'toolCall' && part.name === 'TodoWrite') this.write(fieldsOf(part.input));
    }
  }

  private write(input: Fields | undefined): void {
    if (!Array.isArray(input?.['todos'])) return;
    const items = objectsOf(input['todos']);
    const next = new Map(input['merge'] === true ? this.items : []);
    for (const [at, item] of items.entries()) {
      const id = textOf(item['id']) ?? `#${at}`;
      next.set(id, { ...next.get(id), ...item });
    }
    this.items = next;
  }
}
