/**
 * Times of messages that each stand after the one before and none after now, as near to what they were
 * as that allows: for stores that put messages in the order of their times.
 *
 * @param times milliseconds since the epoch; 0 where it is not known
 */
export function risingTimes(times: readonly number[], now: number): readonly number[] {
  let next = now + 1;
  return times
    .toReversed()
    .map((at) => {
      next = Math.min(at || next - 1, next - 1);
      return next;
    })
    .toReversed();
}
