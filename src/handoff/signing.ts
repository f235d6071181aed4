import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { SignatureEntry } from './schemas.js';

/** Signs the manifest's line. */
export interface Signer {
  readonly fingerprint: string;
  sign(line: Uint8Array): Omit<SignatureEntry, 'kind'>;
}

/** The bytes before a raw Ed25519 public key in its DER form (RFC 8410). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');
/** The bytes before a raw Ed25519 private key in its DER form (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');
const rawLength = 32;

/** A new private key, raw, in base64. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return der.subarray(pkcs8Head.length).toString('base64');
}

/** @throws Error when it is no key that {@link newSigningKey} made */
export function signerOf(privateKey: string): Signer {
  const raw = Buffer.from(privateKey, 'base64');
  if (raw.length !== rawLength) throw new Error('It is no Ed25519 key.');
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Head, raw]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = rawOf(createPublicKey(key));
  return {
    fingerprint: fingerprintOf(publicKey),
    sign: (line) => ({
      key: publicKey.toString('base64'),
      signature: sign(null, line, key).toString('base64'),
    }),
  };
}

/** Whether the signature is one of this line by its key. */
export function isSignedBy({ key, signature }: Omit<SignatureEntry, 'kind'>, line: Uint8Array) {
  const raw = Buffer.from(key, 'base64');
  if (raw.length !== rawLength) return false;
  try {
    const publicKey = createPublicKey({
      key: Buffer.concat([spkiHead, raw]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, line, publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** What people compare: the SHA-256 of the raw public key, in base64 without padding. */
export const fingerprintOf = (publicKey: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;

const rawOf = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(spkiHead.length);
