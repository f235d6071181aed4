import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from '../vault/writeAtomic.js';
import { codeOf } from '../vault/writeError.js';
import { ExpectedError } from '../core/errors.js';

const signerSchema = z.object({
  fingerprint: z.string(),
  /** The name that the first file gave. */
  name: z.string().optional(),
  /** When a file of this key was first taken in. */
  since: z.number(),
});
export type KnownSigner = z.infer<typeof signerSchema>;

const fileSchema = z.object({ schemaVersion: z.literal(1), signers: z.array(signerSchema) });

const fileOf = (store: string): string => join(store, 'keys', 'known-signers.json');

/**
 * The keys that files were signed with which a person has taken in: trust on first use. A missing list is
 * an empty one.
 *
 * @throws ExpectedError `signersUnreadable`: to trust nobody in its place would be silent
 */
export async function readSigners(store: string): Promise<readonly KnownSigner[]> {
  const file = fileOf(store);
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).signers;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new ExpectedError(
      'signersUnreadable',
      'The list of known keys cannot be read: {0}',
      [file],
      {
        cause: error,
        next: 'Move the file away; keys are then unknown until a file of theirs is taken in.',
      },
    );
  }
}

/** Notes a key whose file a person has just taken in; one that is known stays as it is. */
export async function rememberSigner(store: string, signer: KnownSigner): Promise<void> {
  const signers = await readSigners(store);
  if (signers.some(({ fingerprint }) => fingerprint === signer.fingerprint)) return;
  const text = JSON.stringify({ schemaVersion: 1, signers: [...signers, signer] }, undefined, 2);
  await writeAtomic(fileOf(store), Buffer.from(`${text}\n`));
}
