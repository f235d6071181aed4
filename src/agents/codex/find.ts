import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decode } from '../decode.js';
import { chunksOf, HeadReader, linesHead, type Head } from '../heads.js';
import { textOf, type Fields } from '../json.js';
import type { FindResult, SourceQuery } from '../source.js';
import { splitState } from '../splitState.js';
import { ThreadSearch } from '../threadSearch.js';
import { isCompressed, startOfCompressed } from './compressed.js';
import { folderOf, lineOf, parentOf } from './line.js';
import { asksForAny, isWanted } from '../wanted.js';

/** The folders that may be Codex's own (`CODEX_HOME` replaces `~/.codex`) and those given. */
export const homesOf = (query: SourceQuery): readonly string[] => {
  const own = query.env['CODEX_HOME'];
  const usual = own === undefined || own === '' ? join(query.userHome, '.codex') : own;
  return [...new Set([usual, ...query.homes])];
};

/** `sessions/<year>/<month>/<day>/`, formerly flat; archived ones are always flat. */
const stores = ['sessions', 'archived_sessions'];

/** Today's sessions lie three folders down, so the folders themselves are watched with all below. */
export const watchedFolders = (query: SourceQuery): readonly string[] =>
  homesOf(query).flatMap((home) => stores.map((store) => join(home, store)));

const longestHead = 4 * 1024 * 1024;

export const codexHeads = (): HeadReader => {
  const lines = linesHead({
    longest: longestHead,
    chunks: (path) => (isCompressed(path) ? startOfCompressed(path) : chunksOf(path)),
    add: addToHead,
  });
  return new HeadReader('codex', (path) =>
    path.endsWith('.json') ? objectHead(path) : lines(path),
  );
};

function addToHead(before: Head, record: Fields): Head {
  const line = lineOf(record);
  if (line === undefined) return before;
  const meta = before.id === undefined && line.type === 'session_meta' ? line.payload : undefined;
  return {
    cwd: before.cwd ?? folderOf(line),
    id: before.id ?? textOf(meta?.['id']),
    parent: before.parent ?? (meta && parentOf(meta)),
  };
}

/** Rollouts of the first program are one object each, and small. */
async function objectHead(path: string): Promise<Head> {
  const records = splitState(await readFile(path), 'items');
  return records.reduce<Head>((head, record) => addToHead(head, decode(record).fields ?? {}), {});
}

/**
 * Lists rollouts from files, whatever their names and folders say: which folder a thread belongs to is
 * decided by the working folder in its records.
 */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new RolloutSearch(query, heads);
  if (asksForAny(query)) {
    for (const home of homesOf(query)) {
      for (const store of stores) await search.store(join(home, store));
    }
  }
  return search.result();
}

const rollout = /^rollout-.*\.(jsonl|jsonl\.zst|json)$/;

class RolloutSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly heads: HeadReader,
  ) {
    super();
  }

  private isArchive = false;

  /** Its list leaves out what was archived. */
  async store(folder: string): Promise<void> {
    this.isArchive = basename(folder) === 'archived_sessions';
    const homeless = await this.folder(folder);
    if (homeless === 0) return;
    const many = homeless === 1 ? '1 session does' : `${homeless} sessions do`;
    this.problem(folder, `${many} not say which folder they belong to`);
  }

  /** Returns how many files name no working folder. */
  private async folder(folder: string): Promise<number> {
    const entries = await this.list(folder);
    const names = new Set(entries.map(({ name }) => name));
    let homeless = 0;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) homeless += await this.folder(path);
      // While a rollout is unpacked or packed both files are there; the plain one is in use.
      else if (rollout.test(entry.name) && !names.has(plainName(entry.name) ?? '')) {
        homeless += await this.rollout(path);
      }
    }
    return homeless;
  }

  private async rollout(path: string): Promise<number> {
    let homeless = 0;
    await this.look(path, async (stats) => {
      const head = await this.heads.read(path, stats);
      if (head.cwd === undefined && stats.size > 0) homeless = 1;
      if (!isWanted(head.cwd, this.query)) return undefined;
      const isUnlisted = this.isArchive || undefined;
      return { nativeId: idOf(path, head), parent: head.parent, cwd: head.cwd, isUnlisted };
    });
    return homeless;
  }
}

/** The name of the plain file that stands for a compressed one. */
const plainName = (name: string): string | undefined =>
  isCompressed(name) ? name.slice(0, -'.zst'.length) : undefined;

const idInName = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json/i;

/** A file is called by its thread; where it is not, or was renamed, its records say. */
const idOf = (path: string, head: Head): string =>
  idInName.exec(basename(path))?.[1] ?? head.id ?? basename(path).replace(/\.json.*$/, '');
