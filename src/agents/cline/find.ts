import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HeadReader, type Head } from '../heads.js';
import { fieldsOf, objectsOf, textOf, type Fields } from '../json.js';
import { firstIn } from '../firstIn.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, FoundCopy, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { userFolders } from '../vscode-chat/stores.js';
import { folderInJson } from './workingFolder.js';
import { asksForAny, isWanted } from '../wanted.js';

/** What finding remembers from one time to the next. */
export interface TaskMemory {
  readonly heads: HeadReader;
  readonly files: SmallFiles;
}

export const taskMemory = (): TaskMemory => ({
  heads: new HeadReader('cline', readHead),
  files: new SmallFiles(),
});

/** Where the programs of a family keep their tasks. */
export interface TaskPlaces {
  /** Ids of the extension. */
  readonly extensions: readonly string[];
  /** Folders of a program without an editor. */
  readonly ownHomes: (query: SourceQuery) => readonly string[];
  /** Folders of sessions in the newest form. */
  readonly sessions: (query: SourceQuery) => readonly string[];
}

/** Products that are made from VS Code and run its extensions. */
const editors = [
  'Cursor',
  'Cursor Nightly',
  'Windsurf',
  'Windsurf - Next',
  'Trae',
  'Kiro',
  'Antigravity',
  'Positron',
  'Void',
];

/** Folders that hold a folder `tasks`: of each editor, of programs of their own, and those given. */
const homesOf = (query: SourceQuery, places: TaskPlaces): readonly string[] => {
  const inEditors = userFolders(query, editors).flatMap((user) =>
    places.extensions.map((extension) => join(user, 'globalStorage', extension)),
  );
  return [...new Set([...inEditors, ...places.ownHomes(query), ...query.homes])];
};

export const watchedFolders = (query: SourceQuery, places: TaskPlaces): readonly string[] => [
  ...homesOf(query, places).map((home) => join(home, 'tasks')),
  ...places.sessions(query),
];

/** Lists tasks from files; which folder one belongs to stands in what its model was told. */
export async function findThreads(
  query: SourceQuery,
  places: TaskPlaces,
  memory: TaskMemory,
): Promise<FindResult> {
  const search = new TaskSearch(query, memory);
  if (asksForAny(query)) {
    for (const home of homesOf(query, places)) await search.home(home);
    for (const folder of places.sessions(query)) await search.sessions(folder);
  }
  return search.result();
}

/** What the person saw: times and costs, and what the log for the model does not have. */
const shownLog = 'ui_messages.json';
const logs = ['api_conversation_history.json', 'claude_messages.json', shownLog];

/** What a list says of a task that it leaves out. */
const notListed: Fields = {};

class TaskSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly memory: TaskMemory,
  ) {
    super();
  }

  async home(home: string): Promise<void> {
    for (const task of await this.list(join(home, 'tasks'))) {
      if (!task.isDirectory()) continue;
      const folder = join(home, 'tasks', task.name);
      const names = new Set((await this.list(folder)).map(({ name }) => name));
      const log = logs.find((name) => names.has(name));
      if (log === undefined) continue;
      const about = names.has('history_item.json')
        ? this.fields(join(folder, 'history_item.json'))
        : this.listed(home, task.name);
      const shown = log !== shownLog && names.has(shownLog) ? join(folder, shownLog) : undefined;
      await this.thread(join(folder, log), task.name, about, shown);
    }
  }

  async sessions(folder: string): Promise<void> {
    for (const { name } of await this.list(folder)) {
      const log = join(folder, name, `${name}.messages.json`);
      const entries = await this.list(join(folder, name));
      const isThere = entries.some((entry) => entry.name === `${name}.messages.json`);
      if (isThere) await this.thread(log, name, this.fields(join(folder, name, `${name}.json`)));
    }
  }

  private async thread(
    path: string,
    nativeId: string,
    listed: Promise<Fields>,
    shown?: string,
  ): Promise<void> {
    await this.look(path, async (stats) => {
      const head = await this.memory.heads.read(path, stats);
      const about = await listed;
      const named = textOf(about['workspace']) ?? textOf(about['cwdOnTaskInitialization']);
      const cwd = head.cwd ?? named ?? textOf(about['cwd']);
      if (!isWanted(cwd, this.query)) return undefined;
      const isUnlisted = about === notListed || undefined;
      const parent = textOf(about['parentTaskId']);
      const copies = shown === undefined ? undefined : [await copyAt(shown)];
      return { nativeId, parent, cwd, isUnlisted, ...(copies && { copies }) };
    });
  }

  private async fields(path: string): Promise<Fields> {
    return fieldsOf(parsed(await this.memory.files.read(path))) ?? {};
  }

  /** What the extension's own list says of a task. */
  private async listed(home: string, id: string): Promise<Fields> {
    const list = parsed(await this.memory.files.read(join(home, 'state', 'taskHistory.json')));
    if (!Array.isArray(list)) return {};
    return objectsOf(list).find((item) => item['id'] === id) ?? notListed;
  }
}

async function copyAt(path: string): Promise<FoundCopy> {
  const { size, mtimeMs } = await stat(path);
  return { path, bytes: size, modifiedAt: mtimeMs };
}

async function readHead(path: string): Promise<Head> {
  const cwd = await firstIn(path, folderInJson);
  return cwd === undefined ? {} : { cwd };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
