import { InvalidArgumentError } from 'commander';

/** For options that name a folder: an unset variable in a script must not come to mean the current one. */
export function nonEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is empty.');
  return value;
}
