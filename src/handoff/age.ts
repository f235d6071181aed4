import { ReadableStream } from 'node:stream/web';
import { ExpectedError, isExpected, messageOf } from '../core/errors.js';
import type { Unlock } from '../core/handoff.js';
import { damaged, locked, refused } from './refusal.js';

/*
 * An encrypted handoff file is an age file (age-encryption.org/v1, C2SP) of a plain one: any age tool
 * opens it, and what it gives can be imported too. No format of our own is around it, so its first line is
 * age's.
 */

export const ageMark = Buffer.from('age-encryption.org/v1\n');

/** Who is to open the file: `age1…` recipients, or whoever knows the passphrase. */
export type Lock = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** scrypt takes 2^n KB: 18 is what age writes, above 19 a file would take more than half a gigabyte. */
const LARGEST_WORK = 19;

/** @throws ExpectedError `noRecipient` for something that is no recipient */
export async function* encrypted(
  plain: AsyncIterable<Uint8Array>,
  lock: Lock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if ('passphrase' in lock) encrypter.setPassphrase(lock.passphrase);
  else for (const recipient of lock.recipients) addRecipient(encrypter, recipient);
  yield* (await encrypter.encrypt(toStream(plain))) as AsyncIterable<Uint8Array>;
}

function addRecipient(
  encrypter: { addRecipient(recipient: string): void },
  recipient: string,
): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new ExpectedError(
      'noRecipient',
      '{0} is not a recipient of age.',
      [recipient.slice(0, 80)],
      {
        next: 'Recipients begin with age1; ask for one.',
      },
    );
  }
}

/**
 * @throws ExpectedError `handoffLocked` when nothing that was given opens it; `damaged` when it was cut or
 * changed
 */
export async function* decrypted(
  file: AsyncIterable<Uint8Array>,
  unlock: Unlock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if (unlock.passphrase !== undefined) decrypter.addPassphrase(unlock.passphrase);
  for (const identity of unlock.identities ?? []) addIdentity(decrypter, identity);
  let plain: AsyncIterable<Uint8Array>;
  try {
    plain = (await decrypter.decrypt(toStream(checked(file)))) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw whyNot(error, unlock);
  }
  try {
    yield* plain;
  } catch (error) {
    throw isExpected(error) ? error : damaged('It was changed or cut on its way.');
  }
}

function addIdentity(decrypter: { addIdentity(identity: string): void }, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw locked('noIdentity');
  }
}

function whyNot(error: unknown, unlock: Unlock): Error {
  if (messageOf(error).startsWith('no identity matched')) {
    return unlock.passphrase === undefined ? locked('otherIdentity') : locked('wrongPassphrase');
  }
  return isExpected(error) ? error : damaged('Its encrypted head cannot be read.');
}

/** Looks at the head first: a file must not choose how much memory a passphrase takes. */
async function* checked(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isFirst = true;
  for await (const chunk of file) {
    if (isFirst) {
      const head = Buffer.from(chunk).toString('latin1', 0, 4096);
      const work = /^-> scrypt \S+ (\d+)$/m.exec(head)?.[1];
      if (work !== undefined && Number(work) > LARGEST_WORK) {
        throw refused('Its passphrase would take too much memory to try.');
      }
    }
    isFirst = false;
    yield chunk;
  }
}

const toStream = (bytes: AsyncIterable<Uint8Array>): globalThis.ReadableStream<Uint8Array> =>
  ReadableStream.from(bytes);
