/**
 * Does work for each item, several at a time, begun in order. Ends when all are done, or early where `work`
 * answers false: then nothing more is begun.
 *
 * @throws what `work` throws first, once what was begun is done
 */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<boolean>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const goesOn = await work(items[at] as T).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
      if (!goesOn) next = items.length;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
