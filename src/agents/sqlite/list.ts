import { stampOf } from './image.js';

interface Listed<T> {
  /** Undefined: the database is not of the kind that was looked for. */
  readonly items: readonly T[] | undefined;
  readonly stamp: string;
}

/** What databases hold, each asked again only once its file or its log has changed. */
export class DatabaseList<T> {
  private readonly known = new Map<string, Listed<T>>();

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
    if (known?.stamp === stamp) return known.items;
    const listed = await this.ask(path);
    this.known.set(path, listed);
    return listed.items;
  }

  /** What it held when it was last read. */
  lastOf(path: string): readonly T[] {
    return this.known.get(path)?.items ?? [];
  }
}
