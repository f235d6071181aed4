import { setTimeout as wait } from 'node:timers/promises';

/** Far longer than anything takes, also on a machine that is slow and busy: only what never comes about waits so long. */
export const LIMIT_MS = 180_000;

/** Whether something comes to be so within a while, for who tries again where it does not. */
export const comesToBe = (isSo: () => boolean | PromiseLike<boolean>): Promise<boolean> =>
  until('', isSo, undefined, 15_000).then(
    () => true,
    () => false,
  );

/**
 * Waits until something is so.
 *
 * @param seen tells what there is instead, for who reads of the failure and was not there
 */
export async function until(
  what: string,
  isSo: () => boolean | PromiseLike<boolean>,
  seen: () => unknown = () => undefined,
  limitMs = LIMIT_MS,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) {
      const there = await seen();
      const words = typeof there === 'string' ? there : JSON.stringify(there);
      throw new Error(`Never so: ${what}.${there === undefined ? '' : ` There is: ${words}`}`);
    }
    await wait(20);
  }
}
