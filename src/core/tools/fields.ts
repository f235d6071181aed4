import type { Todo } from '../model/thread.js';

/** A value by name, where the whole is an object. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/** The first of these fields that is text; empty text counts only where it means something. */
export function firstText(
  value: unknown,
  names: readonly string[],
  mayBeEmpty = false,
): string | undefined {
  for (const name of names) {
    const found = field(value, name);
    if (typeof found === 'string' && (mayBeEmpty || found !== '')) return found;
  }
  return undefined;
}

export const number = (value: unknown, names: readonly string[]): number | undefined =>
  names.map((name) => field(value, name)).find((found) => typeof found === 'number');

export const boolean = (value: unknown, names: readonly string[]): boolean | undefined =>
  names.map((name) => field(value, name)).find((found) => typeof found === 'boolean');

export const texts = (value: unknown, name: string): readonly string[] =>
  list(field(value, name)).filter((entry) => typeof entry === 'string');

export const objects = (value: unknown, name: string): readonly object[] =>
  list(field(value, name)).filter((entry) => typeof entry === 'object' && entry !== null);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const states: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'doing',
  'in-progress': 'doing',
  completed: 'done',
  done: 'done',
};

/** The whole list that a call sets; undefined where it sets none. */
export function todosIn(input: unknown): readonly Todo[] | undefined {
  const name = ['todos', 'plan', 'todoList', 'items'].find((key) =>
    Array.isArray(field(input, key)),
  );
  if (name === undefined) return undefined;
  return objects(input, name).flatMap((entry) => {
    const text = firstText(entry, ['content', 'step', 'title', 'text', 'description']);
    const state = states[firstText(entry, ['status', 'state']) ?? ''] ?? 'open';
    return text === undefined ? [] : [{ text, state }];
  });
}
