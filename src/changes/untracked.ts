import type { Untracked } from '../core/model/changes.js';
import { pathBelow, readWholeFile, statOf } from './wholeFile.js';

export interface KeepLimits {
  /** Larger files are named, not kept. */
  readonly maxFileBytes: number;
  /** At most so many files of one repository are kept. */
  readonly maxFiles: number;
  /** Stores bytes and answers with their SHA-256 (hex). */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Keeps the files behind names below a root, in the order of the names. Where there are more than may
 * be kept, the ones changed last are. A name whose file has gone meanwhile is left out.
 */
export async function keepFiles(
  root: string,
  names: readonly Buffer[],
  limits: KeepLimits,
): Promise<Untracked[]> {
  const stats = await mapInChunks(names, (name) => statOf(pathBelow(root, name)));
  const kept = new Set(
    [...names.keys()]
      .filter((index) => stats[index]?.isFile() && stats[index].size <= limits.maxFileBytes)
      .sort((a, b) => (stats[b]?.mtimeMs ?? 0) - (stats[a]?.mtimeMs ?? 0))
      .slice(0, limits.maxFiles),
  );
  const files: Untracked[] = [];
  for (const [index, name] of names.entries()) {
    const stat = stats[index];
    if (stat === undefined) continue;
    const about = { path: name.toString('utf8'), size: stat.size, mode: stat.mode & 0o777 };
    if (!stat.isFile()) {
      files.push({ ...about, left: 'notAFile' });
    } else if (stat.size > limits.maxFileBytes) {
      files.push({ ...about, left: 'tooLarge' });
    } else if (!kept.has(index)) {
      files.push({ ...about, left: 'tooMany' });
    } else {
      const file = await keepFile(pathBelow(root, name), about, limits);
      if (file !== undefined) files.push(file);
    }
  }
  return files;
}

async function keepFile(
  path: Buffer,
  about: Untracked,
  limits: KeepLimits,
): Promise<Untracked | undefined> {
  limits.signal?.throwIfAborted();
  const bytes = await readWholeFile(path, limits.maxFileBytes);
  if (bytes === 'gone') return undefined;
  if (typeof bytes === 'string') return { ...about, left: bytes };
  return { ...about, size: bytes.length, content: await limits.putBlob(bytes) };
}

async function mapInChunks<T, R>(
  items: readonly T[],
  map: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 64) {
    results.push(...(await Promise.all(items.slice(at, at + 64).map(map))));
  }
  return results;
}
