import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ByteReader } from './byteReader.js';
import { FrameReader } from './frames.js';
import { excessOf } from './jsonBounds.js';
import { limits } from './limits.js';
import { damaged, newer, refused } from './refusal.js';
import {
  formatVersion,
  headerSchema,
  manifestEntrySchema,
  signatureEntrySchema,
  type Header,
  type ManifestEntry,
} from './schemas.js';
import { fingerprintOf, isSignedBy } from './signing.js';

/** A line of the file, parsed and within the limits; its shape is not checked yet. */
export interface RawEntry {
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Who signed, as far as the file itself tells. */
export interface FileSignature {
  /** `broken`: one that should be there is not, or it is not of this content. */
  readonly state: 'none' | 'valid' | 'broken';
  readonly fingerprint?: string | undefined;
}

export interface FileEnd {
  readonly header: Header;
  readonly manifest: ManifestEntry;
  readonly signature: FileSignature;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Gives the entries before the manifest, one after the other, and returns how the file ends. Whoever reads
 * must not act on an entry before this has returned: only then its hash was compared.
 *
 * @param plain the file's bytes, decrypted
 * @throws ExpectedError `damaged`, `handoffRefused`, `handoffNewer`
 */
export async function* decodeHandoff(
  plain: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<RawEntry, FileEnd, undefined> {
  const bytes = new ByteReader(plain);
  try {
    const first = await bytes.line(limits.header);
    if (first === undefined) throw notOurs();
    const header = headerOf(first);
    const lines = linesOf(new FrameReader(bytes, header.compression), signal);
    const hashes: Buffer[] = [];
    for await (const line of lines) {
      const entry = entryOf(line);
      if (entry.kind === 'manifest') {
        const manifest = manifestOf(entry, first, hashes);
        const signature = await signatureOf(manifest, line, lines);
        return { header, manifest, signature };
      }
      if (hashes.length === limits.entries) throw refused('It has too many entries.');
      hashes.push(createHash('sha256').update(line).digest());
      yield entry;
    }
    throw damaged('It ends too early.');
  } finally {
    await bytes.close();
  }
}

const versionedSchema = z.object({ format: z.literal('keepthread'), version: z.string() });

function headerOf(line: Buffer): Header {
  const value = line[0] === openBrace ? parse(line) : undefined;
  const versioned = versionedSchema.safeParse(value);
  if (!versioned.success) throw notOurs();
  const { version } = versioned.data;
  // Of a newer major version nothing else is known, not even its first line.
  if (majorOf(version) > majorOf(formatVersion)) throw newer(version.slice(0, 20));
  const header = headerSchema.safeParse(value);
  if (!header.success || majorOf(version) < 1) throw damaged('Its first line cannot be read.');
  return header.data;
}

const openBrace = 0x7b;

const majorOf = (version: string): number => Number(version.split('.')[0]);

const notOurs = () => refused('It is none of Keepthread.');

async function* linesOf(
  frames: FrameReader,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  for (let frame = await frames.next(); frame !== undefined; frame = await frames.next()) {
    signal?.throwIfAborted();
    for (let from = 0; from < frame.length;) {
      const end = frame.indexOf('\n', from);
      if (end === -1) throw damaged('One of its lines has no end.');
      yield frame.subarray(from, end);
      from = end + 1;
    }
  }
}

function entryOf(line: Buffer): RawEntry {
  if (line.length > limits.entry) throw refused('It has a line of more than 8 MB.');
  const excess = excessOf(line);
  if (excess !== undefined) throw refused(`It is too large (${excess}).`);
  const value = parse(line);
  const kind = kindSchema.safeParse(value);
  if (!kind.success) throw damaged('One of its lines is no entry.');
  return { kind: kind.data.kind, value: kind.data };
}

const kindSchema = z.looseObject({ kind: z.string().max(100) });

function parse(line: Buffer): unknown {
  try {
    return withoutTraps(JSON.parse(utf8.decode(line)));
  } catch {
    throw damaged('One of its lines is not JSON.');
  }
}

/** Names that mean more than data to JavaScript. */
const traps = ['__proto__', 'constructor', 'prototype'];

/** Takes them out wherever they stand; a value that was just parsed may be changed. */
function withoutTraps(parsed: unknown): unknown {
  const left = [parsed];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) {
      for (const trap of traps) if (Object.hasOwn(value, trap)) Reflect.deleteProperty(value, trap);
    }
    for (const item of Object.values(value) as unknown[]) {
      if (typeof item === 'object' && item !== null) left.push(item);
    }
  }
  return parsed;
}

function manifestOf(entry: RawEntry, first: Buffer, hashes: readonly Buffer[]): ManifestEntry {
  const manifest = manifestEntrySchema.safeParse(entry.value);
  if (!manifest.success) throw damaged('The list of what it holds cannot be read.');
  const all = Buffer.concat(hashes);
  const { header, root, hashes: listed } = manifest.data;
  const isWhole =
    header === sha256(first) && root === sha256(all) && Buffer.from(listed, 'base64').equals(all);
  if (!isWhole) throw damaged('It does not hold what it lists.');
  return manifest.data;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function signatureOf(
  manifest: ManifestEntry,
  line: Buffer,
  rest: AsyncGenerator<Buffer, void, undefined>,
): Promise<FileSignature> {
  // A frame's lines lie in its memory; the next frame takes another.
  const signed = Buffer.from(line);
  const named = manifest.author.key;
  const next = await rest.next();
  if (next.done === true) {
    return named === undefined ? { state: 'none' } : { state: 'broken', fingerprint: named };
  }
  const signature = signatureEntrySchema.safeParse(entryOf(next.value).value);
  if (!signature.success || (await rest.next()).done !== true) {
    throw damaged('Something stands behind its end.');
  }
  const fingerprint = fingerprintOf(Buffer.from(signature.data.key, 'base64'));
  const isValid = fingerprint === named && isSignedBy(signature.data, signed);
  return { state: isValid ? 'valid' : 'broken', fingerprint };
}
