import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import { beginningOf, isSqlite } from './fileForm.js';
import { recogniseFile } from './recogniseFile.js';
import type { Source } from './source.js';

const mostFiles = 5000;
const deepest = 8;
const mostNamed = 10;

/** Files that stand for their whole folder: others beside them tell the same conversation in other words. */
const mainFiles = [
  'events.jsonl',
  'api_conversation_history.json',
  'chat_history.jsonl',
  'wire.jsonl',
  'transcript_full.jsonl',
];

/**
 * The one transcript, or database, that a folder holds.
 *
 * @throws ExpectedError `unknownFormat` when there is none, `severalTranscripts` when there are more. Rejects with
 * the error of `node:fs` when the folder cannot be read.
 */
export async function transcriptIn(folder: string, sources: readonly Source[]): Promise<string> {
  const files = await filesBelow(folder);
  const found: string[] = [];
  for (const path of files) if (await isTranscript(path, sources)) found.push(path);
  const main = found.filter((path) => !standsBeside(path, found));
  const [first, ...others] = main;
  if (first === undefined) {
    throw new ExpectedError(
      'unknownFormat',
      'There is no transcript of a format that is known in {0} ({1} files looked at).',
      [folder, files.length],
    );
  }
  if (others.length === 0) return first;
  const some = main.slice(0, mostNamed).map((path) => relative(folder, path));
  throw new ExpectedError(
    'severalTranscripts',
    '{0} holds {1} transcripts.',
    [folder, main.length],
    { next: `Name one of them: ${some.join(', ')}${main.length > mostNamed ? ', …' : ''}` },
  );
}

const standsBeside = (path: string, found: readonly string[]): boolean =>
  !mainFiles.includes(basename(path)) &&
  found.some((other) => mainFiles.includes(basename(other)) && dirname(other) === dirname(path));

async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const visit = async (inside: string, depth: number): Promise<void> => {
    const entries = await readdir(inside, { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (files.length >= mostFiles) return;
      const path = join(inside, entry.name);
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && depth < deepest) await visit(path, depth + 1);
    }
  };
  await visit(folder, 0);
  return files;
}

async function isTranscript(path: string, sources: readonly Source[]): Promise<boolean> {
  const head = await beginningOf(path).catch(() => undefined);
  if (head === undefined || head.length === 0) return false;
  if (!isSqlite(head)) return (await recogniseFile(path, head, sources)) !== undefined;
  for (const source of sources) {
    const threads = await source.threadsIn?.(path).catch(() => undefined);
    if (threads !== undefined && threads.length > 0) return true;
  }
  return false;
}
