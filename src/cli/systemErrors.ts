import { ExpectedError } from '../core/errors.js';

/** Runs what reads and writes many files; that the system refuses one of them is no bug of ours. */
export async function withSystemErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
      throw new ExpectedError('diskFull', 'The disk is full, so it could not be finished.', [], {
        cause: error,
        next: 'Make room, then run it again; what was there before is as it was.',
      });
    }
    throw new ExpectedError('refused', 'The system refused a file: {0}', [error.message], {
      cause: error,
      next: 'Check that the disk is there and has room, and who may read and write the folder.',
    });
  }
}

/** Node.js names the system call that failed: https://nodejs.org/api/errors.html#errorsyscall */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;
