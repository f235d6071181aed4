import { ExpectedError, isExpected, messageOf } from '../core/errors.js';

/**
 * What a failed write means to a person.
 *
 * @returns ExpectedError `diskFull`, `notWritable` or `writeFailed`
 */
export function writeError(path: string, cause: unknown): ExpectedError {
  switch (codeOf(cause)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new ExpectedError('diskFull', 'The disk is full: nothing was saved to {0}.', [path], {
        cause,
        next: 'Make room; the next save works again.',
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ExpectedError('notWritable', 'No permission to save to {0}.', [path], {
        cause,
        next: 'Give yourself write permission for this folder; the next save works again.',
      });
    default:
      return new ExpectedError(
        'writeFailed',
        'Could not save to {0}: {1}',
        [path, messageOf(cause)],
        {
          cause,
          next: 'Check that the disk is there and works; the next save tries again.',
        },
      );
  }
}

/** Whether it is one that {@link writeError} made. */
export const isWriteError = (error: unknown): boolean =>
  ['diskFull', 'notWritable', 'writeFailed'].some((reason) => isExpected(error, reason));

/** The system's name of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
