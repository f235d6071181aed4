/** Ids up to this length are printed whole. */
const short = 24;
/** So much of a longer one: of ids that begin with their time, some of what follows it is in there. */
const enough = 18;

/**
 * Ids as a table prints them: whole, or, of long ones, as much of the start as tells one from all others in the table.
 * Commands take them as they are.
 */
export function pasteableIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, at) => {
      if (id.length <= short) return [id, id];
      const shared = [sorted[at - 1], sorted[at + 1]].map((other) => sharedStart(id, other ?? ''));
      const length = Math.max(enough, Math.max(...shared) + 1);
      return [id, length + short - enough >= id.length ? id : id.slice(0, length)];
    }),
  );
}

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
