/** So many that were active last are always asked about again: a mark may miss what is written in place. */
const latest = 20;

/**
 * What is known of the conversations of databases, by path. Of a database that has gigabytes it costs
 * seconds to find out how large each conversation is, and it changes with every word of an answer; so
 * only those are asked about whose mark has changed.
 */
export class KnownRows<T extends { readonly id: string }> {
  private readonly known = new Map<
    string,
    ReadonlyMap<string, { readonly mark: string; readonly item: T }>
  >();

  /** @param activeAt When a conversation was active last */
  constructor(private readonly activeAt: (item: T) => number) {}

  /**
   * @param marks Of each conversation that is there, by its id
   * @param ask Finds out about some of them
   */
  async update(
    path: string,
    marks: ReadonlyMap<string, string>,
    ask: (ids: readonly string[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const before = this.known.get(path) ?? new Map<string, never>();
    const active = [...before.values()]
      .map(({ item }) => item)
      .toSorted((one, other) => this.activeAt(other) - this.activeAt(one))
      .slice(0, latest);
    const isActive = new Set(active.map(({ id }) => id));
    const isSame = (id: string, mark: string): boolean =>
      before.get(id)?.mark === mark && !isActive.has(id);
    const wanted = [...marks].flatMap(([id, mark]) => (isSame(id, mark) ? [] : [id]));
    const asked = wanted.length === 0 ? [] : await ask(wanted);
    const found = new Map(asked.map((item) => [item.id, item]));
    const known = [...marks].flatMap(([id, mark]) => {
      const item = isSame(id, mark) ? before.get(id)?.item : found.get(id);
      return item === undefined ? [] : [[id, { mark, item }] as const];
    });
    this.known.set(path, new Map(known));
    return known.map(([, { item }]) => item);
  }
}
