import { ExpectedError } from '../core/errors.js';
import type { JobControl } from '../library/jobs.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { size } from './size.js';

/**
 * Does long work on bytes: says how far it is, and lets Ctrl+C stop it where everything is sound. A second one ends
 * the process at once, which loses nothing either and leaves things to be tidied up.
 *
 * @param unchanged what is true then, in words
 * @throws ExpectedError `interrupted`
 */
export async function interruptible<T>(
  { json }: Pick<Output, 'json'>,
  unchanged: string,
  work: (control: JobControl) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const progress = createProgress(json);
  const interrupt = (): void => {
    stop.abort(new ExpectedError('interrupted', 'Stopped. {0}', [unchanged]));
  };
  for (const name of signals) process.once(name, interrupt);
  try {
    return await work({
      signal: stop.signal,
      onProgress: (done, total) => progress.say(`${size(done)} of ${size(total)}`),
    });
  } finally {
    progress.end();
    for (const name of signals) process.removeListener(name, interrupt);
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;

export const nothingChanged = 'Nothing was changed.';
