import { stat } from 'node:fs/promises';
import { stampOf } from './image.js';

interface Listed<T> {
  /** Undefined: the database is not of the kind that was looked for. */
  readonly items: readonly T[] | undefined;
  readonly stamp: string;
}

/** Above this a database costs so much that a busy one is not read at each of its changes. */
const largeBytes = 32 * 1024 * 1024;
/** Of a large one, this many times as long as reading it took, it is left alone. */
const restFactor = 3;

/** What databases hold, each asked again only once its file or its log has changed. */
export class DatabaseList<T> {
  private readonly known = new Map<string, Listed<T> & { readonly restsUntil: number }>();

  constructor(private readonly ask: (path: string) => Promise<Listed<T>>) {}

  /**
   * Undefined when there is no such file, or it is not of the kind.
   *
   * @throws ExpectedError as `DatabaseReader.ask`
   */
  async of(path: string): Promise<readonly T[] | undefined> {
    const stamp = await stampOf(path);
    if (stamp === undefined) return undefined;
    const known = this.known.get(path);
    const begun = Date.now();
    if (known && (known.stamp === stamp || begun < known.restsUntil)) return known.items;
    const listed = await this.ask(path);
    const ended = Date.now();
    const rest = (await stat(path)).size > largeBytes ? restFactor * (ended - begun) : 0;
    this.known.set(path, { ...listed, restsUntil: ended + rest });
    return listed.items;
  }

  /** What it held when it was last read. */
  lastOf(path: string): readonly T[] {
    return this.known.get(path)?.items ?? [];
  }
}
