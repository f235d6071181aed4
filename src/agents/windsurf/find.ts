import { isAbsolute, join, win32 } from 'node:path';
import { isInside } from '../folders.js';
import { HeadReader, linesHead } from '../heads.js';
import { isString, type Fields } from '../json.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { stepOf } from './parse.js';
import { manyAre } from '../unread.js';
import { asksForAny } from '../wanted.js';

export const transcriptFolders = ({ userHome, homes }: SourceQuery): readonly string[] =>
  [...new Set([join(userHome, '.windsurf'), ...homes])].map((home) => join(home, 'transcripts'));

/** Windsurf's own store, which it encrypts. */
export const sealedStores = ({ userHome }: SourceQuery): readonly string[] =>
  ['windsurf', 'windsurf-next'].map((name) => join(userHome, '.codeium', name, 'cascade'));

const pathNames = ['path', 'file_path', 'absolute_path', 'cwd', 'working_directory'];

/** Steps name no working folder, but files: a head's `cwd` is the first of them. */
export const windsurfHeads = (): HeadReader =>
  new HeadReader(
    'windsurf',
    linesHead({
      longest: 4 * 1024 * 1024,
      add: (before, record) => ({ cwd: before.cwd ?? pathIn(stepOf(record)?.body ?? {}) }),
    }),
  );

const pathIn = (body: Fields): string | undefined =>
  pathNames
    .map((name) => body[name])
    .filter(isString)
    .find((path) => isAbsolute(path) || win32.isAbsolute(path));

/** Lists transcripts; one belongs to the folder that its first file lies in. */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new ThreadSearch();
  if (!asksForAny(query)) return search.result();
  for (const folder of transcriptFolders(query)) {
    for (const { name } of await search.list(folder)) {
      if (!name.endsWith('.jsonl')) continue;
      const path = join(folder, name);
      await search.look(path, async (stats) => {
        const file = (await heads.read(path, stats)).cwd;
        const cwd = query.folders.find((one) => file !== undefined && isInside(file, [one]));
        if (cwd === undefined && query.everywhere !== true) return undefined;
        return { nativeId: name.slice(0, -'.jsonl'.length), cwd };
      });
    }
  }
  for (const store of sealedStores(query)) {
    const sealed = (await search.list(store)).filter(({ name }) => name.endsWith('.pb'));
    if (sealed.length === 0) continue;
    search.problem(
      store,
      `${manyAre(sealed.length, 'conversation')} encrypted by Windsurf and not supported. Transcripts of its hooks are read`,
    );
  }
  return search.result();
}
