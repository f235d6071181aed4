import { ExpectedError } from '../../core/errors.js';
import { createShareRedactor, type ShareOptions } from './redactors.js';

/**
 * The value with the secrets in all of its strings masked; of the same shape.
 *
 * @throws ExpectedError `notScanned`
 */
export type Mask = <T>(value: T) => T;

/**
 * What text goes through that is given to another agent or to the clipboard: all that is masked when
 * sharing, but paths stay as they are, since they must work on this machine.
 *
 * @throws ExpectedError `badRule`
 */
export async function createHandoffMask(
  options: Omit<ShareOptions, 'keepsPaths' | 'observe'>,
): Promise<Mask> {
  const redactor = await createShareRedactor({ ...options, keepsPaths: true });
  return <T>(value: T): T => {
    const masked = redactor.value(value);
    if (masked.withheld) throw notScanned();
    // Only what strings say is changed, never the shape.
    return masked.value as T;
  };
}

const notScanned = (): ExpectedError =>
  new ExpectedError(
    'notScanned',
    'Some of this text could not be scanned for secrets in time.',
    [],
    {
      next: 'Take less of it.',
    },
  );
