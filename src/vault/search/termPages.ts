import { crc32 } from '../../agents/crc32.js';

/*
 * Terms, each with the documents that it is in, sorted by their UTF-16 units and cut into pages, so that a search reads
 * a few KB of an image and keeps nothing of the rest in memory. A page is the CRC-32 of what follows (4 bytes,
 * little-endian), then for each term the length of its UTF-8, the UTF-8, the length of its documents, and these (see
 * postings.ts). Lengths are LEB128.
 */

/** A page is closed when it has grown so far, in bytes. */
const PAGE = 8 * 1024;

export interface TermPage {
  /** Its first term. */
  readonly first: string;
  readonly bytes: Buffer;
}

/** @param terms in order */
export function* encodePages(
  terms: Iterable<readonly [term: string, documents: Uint8Array]>,
): Generator<TermPage, void, undefined> {
  let first: string | undefined;
  let parts: Uint8Array[] = [];
  let size = 0;
  const close = (name: string): TermPage => {
    const rest = Buffer.concat(parts);
    const head = Buffer.alloc(4);
    head.writeInt32LE(crc32(rest));
    parts = [];
    size = 0;
    first = undefined;
    return { first: name, bytes: Buffer.concat([head, rest]) };
  };
  for (const [term, documents] of terms) {
    first ??= term;
    const name = Buffer.from(term);
    const added = [lengthOf(name), name, lengthOf(documents), documents];
    parts.push(...added);
    size += added.reduce((sum, { length }) => sum + length, 0);
    if (size >= PAGE) yield close(first);
  }
  if (first !== undefined) yield close(first);
}

export interface PageTerm {
  /** UTF-8. */
  readonly term: Buffer;
  readonly documents: Buffer;
}

/**
 * The terms of a page that are a word, or begin with it.
 *
 * @param word UTF-8
 * @throws Error when the page is damaged
 */
export function* findInPage(
  page: Buffer,
  word: Buffer,
  isPrefix: boolean,
): Generator<PageTerm, void, undefined> {
  if (page.length < 4 || crc32(page.subarray(4)) !== page.readInt32LE()) {
    throw new Error('Its terms are damaged.');
  }
  let at = 4;
  const length = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = page[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < page.length) {
    const termLength = length();
    const begin = at;
    at += termLength;
    const size = length();
    const documents = at;
    at += size;
    const isOne = isPrefix ? termLength >= word.length : termLength === word.length;
    if (!isOne || page.compare(word, 0, word.length, begin, begin + word.length) !== 0) continue;
    yield {
      term: page.subarray(begin, begin + termLength),
      documents: page.subarray(documents, documents + size),
    };
  }
}

function lengthOf({ length }: Uint8Array): Buffer {
  const bytes: number[] = [];
  let left = length;
  for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  bytes.push(left);
  return Buffer.from(bytes);
}
