/** What `begin` makes of each item, in order; the next one is begun before one is given. */
export async function* oneAhead<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  begin: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  let before: Promise<R> | undefined;
  for await (const item of items) {
    const next = begin(item);
    // Whoever takes it is told.
    next.catch(() => undefined);
    if (before) yield await before;
    before = next;
  }
  if (before) yield await before;
}
