import { ExpectedError } from '../../core/errors.js';
import { fieldsOf, type Fields } from '../json.js';
import { unpackZstd } from '../sqlite/unpack.js';

/**
 * A thread's JSON, which Zed keeps compressed (zstd) or plain.
 *
 * @throws ExpectedError `unreadable` when it cannot be unpacked, or is no JSON object
 */
export function unpackThread(path: string, type: unknown, data: Uint8Array | string): Fields {
  try {
    const bytes = Buffer.from(data);
    const plain = type === 'zstd' ? unpackZstd(bytes) : bytes;
    const thread = fieldsOf(JSON.parse(plain.toString('utf8')));
    if (thread !== undefined) return thread;
  } catch (cause) {
    throw new ExpectedError('unreadable', 'A thread in {0} cannot be unpacked.', [path], { cause });
  }
  throw new ExpectedError('unreadable', 'A thread in {0} is no JSON object.', [path]);
}
