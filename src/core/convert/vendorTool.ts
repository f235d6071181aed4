import type { Arguments, Op } from './toolOps.js';

/** A vendor's tool, and how its arguments are those of an operation. */
export interface VendorTool {
  readonly op: Op;
  readonly name: string;
  /** Its argument for each of the operation's, or how one value becomes the other. */
  readonly fields?: Readonly<Record<string, string | Field>>;
  /** Arguments that may be left out without changing what was done. */
  readonly ignored?: readonly string[];
  /** Arguments that the vendor wants besides. */
  readonly always?: Arguments;
  /** Where the arguments stand in another form altogether; undefined: they do not fit. */
  readonly read?: (input: unknown) => Arguments | undefined;
  readonly make?: (args: Arguments) => Arguments | undefined;
  /** An older name or form of a tool: read, never written. */
  readonly old?: boolean;
}

interface Field {
  readonly name: string;
  readonly read: (value: unknown) => unknown;
  readonly make: (value: unknown) => unknown;
}

export const scaled = (name: string, factor: number): Field => ({
  name,
  read: (value) => Number(value) * factor,
  make: (value) => Number(value) / factor,
});

/** A line that is counted from 0 there. */
export const fromZero = (name: string): Field => ({
  name,
  read: (value) => Number(value) + 1,
  make: (value) => Number(value) - 1,
});

interface Item {
  readonly text: string;
  readonly state: State;
}
type State = 'open' | 'doing' | 'done';

/** A list of what is to do: each item's text under a name of its own, and words for its states. */
export function items(
  list: string,
  text: string,
  more: (item: Item, at: number) => Arguments = () => ({}),
  words: Readonly<Record<State, string>> = usualWords,
): Pick<VendorTool, 'fields'> {
  const stateOf = (word: unknown): State | undefined =>
    (['open', 'doing', 'done'] as const).find((state) => words[state] === word);
  const read = (value: unknown): unknown => {
    const all = Array.isArray(value) ? (value as readonly Arguments[]) : [];
    const found = all.map((item) => ({ text: item[text], state: stateOf(item['status']) }));
    return found.every((item) => typeof item.text === 'string' && item.state !== undefined)
      ? found
      : 'not a list that can be told';
  };
  const make = (value: unknown): unknown =>
    (value as readonly Item[]).map((item, at) => ({
      [text]: item.text,
      status: words[item.state],
      ...more(item, at),
    }));
  return { fields: { items: { name: list, read, make } } };
}

const usualWords = { open: 'pending', doing: 'in_progress', done: 'completed' } as const;

export const isArguments = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
