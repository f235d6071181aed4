import { decode } from './decode.js';
import type { Fields } from './json.js';
import type { RecordPlace, ThreadParser } from './source.js';

/**
 * Of an agent that keeps conversations in several forms: the first record that can be read says which parser is the
 * right one.
 */
export class LateParser implements ThreadParser {
  private parser: ThreadParser | undefined;
  private readonly broken: (readonly [Uint8Array, RecordPlace | undefined])[] = [];

  /** Told undefined when there is no record yet that can be read. */
  constructor(private readonly create: (first: Fields | undefined) => ThreadParser) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const first = this.parser === undefined ? decode(record).fields : undefined;
    if (first !== undefined) this.parser = this.begin(first);
    if (this.parser === undefined) this.broken.push([record, place]);
    else this.parser.push(record, place);
  }

  thread(options?: { readonly turns?: boolean }): ReturnType<ThreadParser['thread']> {
    return (this.parser ?? this.begin(undefined)).thread(options);
  }

  get working(): boolean {
    return this.parser?.working ?? false;
  }

  private begin(first: Fields | undefined): ThreadParser {
    const parser = this.create(first);
    for (const [record, place] of this.broken) parser.push(record, place);
    return parser;
  }
}
