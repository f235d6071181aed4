import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../core/errors.js';
import { writeAtomic } from '../vault/writeAtomic.js';
import { codeOf } from '../vault/writeError.js';
import { newSigningKey, signerOf } from './signing.js';

/** A person's own keys: one to sign with, one that files can be encrypted for. */
const keysSchema = z.object({
  schemaVersion: z.literal(1),
  /** The name that signed files say they are from. */
  name: z.string().optional(),
  createdAt: z.number(),
  /** Ed25519, raw, in base64. */
  signing: z.string(),
  /** `AGE-SECRET-KEY-1…` */
  identity: z.string(),
});
export type Keys = z.infer<typeof keysSchema>;

/** Where keys are kept: a file for the command line, the window's secret storage for the extension. */
export interface KeyStore {
  /** Undefined when there are none yet. */
  read(): Promise<Keys | undefined>;
  write(keys: Keys): Promise<void>;
}

/** What may be shown of keys and given to others. */
export interface PublicKeys {
  readonly name: string | undefined;
  readonly createdAt: number;
  /** Of the key that signs, `SHA256:…`, to be compared by people. */
  readonly fingerprint: string;
  /** `age1…`, for others to encrypt with. */
  readonly recipient: string;
}

export async function newKeys(name: string | undefined): Promise<Keys> {
  const { generateX25519Identity } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { schemaVersion: 1, name, createdAt: Date.now(), signing: newSigningKey(), identity };
}

export async function publicKeys({
  name,
  createdAt,
  signing,
  identity,
}: Keys): Promise<PublicKeys> {
  const { identityToRecipient } = await import('age-encryption');
  const recipient = await identityToRecipient(identity);
  return { name, createdAt, fingerprint: signerOf(signing).fingerprint, recipient };
}

/** Checks what a secret storage gave back. */
export function parseKeys(text: string): Keys | undefined {
  try {
    return keysSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Keys in a file below the store, for its owner only (0600).
 *
 * @throws ExpectedError `keysUnreadable`: new keys in their place would lose what was encrypted for the old
 */
export function keysInFile(store: string): KeyStore & { readonly file: string } {
  const file = join(store, 'keys', 'own-keys.json');
  return {
    file,
    async read() {
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw unreadable(file, error);
      }
      const keys = parseKeys(text);
      if (!keys) throw unreadable(file, undefined);
      return keys;
    },
    write: (keys) => writeAtomic(file, Buffer.from(`${JSON.stringify(keys, undefined, 2)}\n`)),
  };
}

const unreadable = (file: string, cause: unknown): ExpectedError =>
  new ExpectedError('keysUnreadable', 'Your keys in {0} cannot be read.', [file], {
    cause,
    next: 'Put a copy of the file back, or move it away to make new keys.',
  });
