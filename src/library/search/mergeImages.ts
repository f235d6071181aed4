import { join } from 'node:path';
import { withLock } from '../../vault/lock.js';
import type { Covered } from '../../vault/search/coverage.js';
import { SearchImage } from '../../vault/search/image.js';
import type { ImageEntry } from '../../vault/search/imageFolder.js';
import { ImageWriter } from '../../vault/search/imageWriter.js';
import type { BuildOptions } from './imageBuilder.js';

/** Images whose terms take less than this, in bytes, become one when there are so many. */
const SMALL = 1024 * 1024;
const MANY = 8;
/** One image is made of no more than this. */
const MOST = 4 * 1024 * 1024;

/**
 * Removes images of which nothing counts any more, and makes one image of many small ones, so that a search looks
 * into few.
 *
 * @param covered which images' rows count
 * @throws ExpectedError as `buildImages`
 */
export async function mergeSmall(
  covered: ReadonlyMap<string, Covered>,
  options: BuildOptions,
): Promise<void> {
  const { folder } = options;
  const parts = new Map<string, number[]>();
  for (const one of covered.values()) {
    for (const { image, thread } of one.parts) {
      parts.set(image, [...(parts.get(image) ?? []), thread]);
    }
  }
  const small = smallOf(folder.entries.filter(({ name }) => parts.has(name)));
  const unused = folder.entries.filter(({ name }) => !parts.has(name));
  if (unused.length === 0 && small.length < MANY) return;
  await withLock(join(folder.path, 'build.lock'), { waitMs: options.waitMs }, async (lost) => {
    if (small.length >= MANY) {
      const writer = new ImageWriter();
      for (const entry of small) await copy(entry, parts.get(entry.name) ?? [], writer, options);
      const bytes = await writer.finish(options.sql, options.pause);
      lost.throwIfAborted();
      const isCurrent = small.every(({ packs }) => packs.every(options.hasPack));
      if (!isCurrent) return;
      await folder.add(bytes);
      for (const { name } of small) await options.remove(name);
    }
    for (const { name } of unused) await options.remove(name);
  });
}

function smallOf(entries: readonly ImageEntry[]): readonly ImageEntry[] {
  const small: ImageEntry[] = [];
  let bytes = 0;
  for (const entry of [...entries].sort((a, b) => a.terms - b.terms)) {
    bytes += entry.terms;
    if (entry.terms >= SMALL || bytes > MOST) break;
    small.push(entry);
  }
  return small;
}

async function copy(
  { name, packs }: ImageEntry,
  threads: readonly number[],
  writer: ImageWriter,
  { folder, sql, pause }: BuildOptions,
): Promise<void> {
  // Of its own: the folder's may be let go of at any time.
  const image = await SearchImage.open(join(folder.path, name), sql);
  if (typeof image === 'string') throw new Error(`The search image ${name} is ${image}.`);
  try {
    for (const number of threads) {
      const thread = image.threads[number];
      if (!thread) continue;
      const documents = image.documents.ofThread(number);
      writer.begin(thread, packs, documents.at(-1)?.at ?? 0);
      for (const { block, first, count } of documents) {
        const rows = await image.block(block);
        for (const row of rows.slice(first, first + count)) writer.push(row);
        await pause();
      }
    }
  } finally {
    await image.close();
  }
}
