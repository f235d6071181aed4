import { ExpectedError } from '../core/errors.js';

const MB = 2 ** 20;

/** A conversation is converted as a whole, in memory, which the process may not have for more. */
const LARGEST = 512 * MB;

/**
 * To be asked before a conversation is read that is to go on.
 *
 * @param bytes of its records
 * @throws ExpectedError `threadTooLarge`
 */
export function requireHoldable(bytes: number, largest = LARGEST): void {
  if (bytes <= largest) return;
  throw new ExpectedError(
    'threadTooLarge',
    'This conversation holds {0} MB, more than the {1} MB that can go on elsewhere.',
    [Math.ceil(bytes / MB), Math.floor(largest / MB)],
    {
      next: 'Resume it with its own agent, or start a new conversation and tell it what to look at.',
    },
  );
}
