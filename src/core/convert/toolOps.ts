/** A JSON object: a call's arguments. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What agents do with tools of different names. */
export type Op = 'shell' | 'read' | 'write' | 'edit' | 'grep' | 'glob' | 'list' | 'fetch' | 'todo';

type Kind = 'text' | 'number' | 'flag' | 'list';

interface OpField {
  readonly kind: Kind;
  /** Without it there is no such call. */
  readonly needed?: boolean;
  /** Says nothing about what was done: lost where the other tool has no place for it. */
  readonly cosmetic?: boolean;
}

const text = { kind: 'text' } as const;
const neededText = { kind: 'text', needed: true } as const;
const number = { kind: 'number' } as const;
const flag = { kind: 'flag' } as const;

/**
 * The arguments of each, in words of our own. Times are milliseconds; `from` is the one-based number
 * of the first line; a flag that is false is the same as none.
 */
export const opFields: Readonly<Record<Op, Readonly<Record<string, OpField>>>> = {
  shell: {
    command: neededText,
    description: { kind: 'text', cosmetic: true },
    folder: text,
    timeout: number,
    background: flag,
  },
  read: { path: neededText, from: number, lines: number },
  write: { path: neededText, content: neededText },
  edit: { path: neededText, old: neededText, new: neededText, all: flag },
  grep: { pattern: neededText, path: text, files: text },
  glob: { pattern: neededText, path: text },
  list: { path: neededText },
  fetch: { url: neededText, question: text },
  todo: { items: { kind: 'list', needed: true } },
};

const typeOf = { text: 'string', number: 'number', flag: 'boolean' } as const;

/** The arguments if each is one of the operation's and of its kind, with those that say nothing left out. */
export function checkedArguments(op: Op, given: Arguments): Arguments | undefined {
  const fields = opFields[op];
  const set = Object.entries(given).filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  const fits = set.every(([name, value]) => {
    const kind = fields[name]?.kind;
    if (kind === undefined) return false;
    return kind === 'list' ? Array.isArray(value) : typeof value === typeOf[kind];
  });
  const found = new Set(set.map(([name]) => name));
  const isWhole = Object.entries(fields).every(([name, { needed }]) => !needed || found.has(name));
  return fits && isWhole ? Object.fromEntries(set) : undefined;
}
