import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { genAiParts, saidIn } from '../genAi.js';
import { HeadReader, linesHead, type Head } from '../heads.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { promptOf, roleOf } from './message.js';
import { folderOfProject } from './projects.js';
import { manyAre } from '../unread.js';
import { asksForAny, isWanted } from '../wanted.js';

/** The folders that may be Gemini CLI's own (`GEMINI_CLI_HOME` replaces the user's home) and those given. */
export const homesOf = (query: SourceQuery): readonly string[] => {
  const own = query.env['GEMINI_CLI_HOME'];
  const user = own === undefined || own === '' ? query.userHome : own;
  return [...new Set([join(user, '.gemini'), ...query.homes])];
};

export const watchedFolders = (query: SourceQuery): readonly string[] =>
  homesOf(query).map((home) => join(home, 'tmp'));

/** What finding remembers from one time to the next. */
export interface GeminiMemory {
  readonly heads: HeadReader;
  readonly files: SmallFiles;
}

export const geminiMemory = (): GeminiMemory => {
  const lines = linesHead({ add: addToHead, isWhole, longest: 4 * 1024 * 1024 });
  const read = (path: string): Promise<Head> =>
    path.endsWith('.jsonl') ? lines(path) : objectHead(path);
  return { heads: new HeadReader('gemini-cli', read, isWhole), files: new SmallFiles() };
};

const isWhole = ({ id, spoken }: Head): boolean => id !== undefined && spoken === true;

/**
 * The first message is the context. Where a session is resumed in a later minute, a file with that
 * alone stays behind under the session's id.
 */
function addToHead(before: Head, record: Fields): Head {
  const set = fieldsOf(record['$set']);
  const messages = isString(record['id']) ? [record] : objectsOf(set?.['messages']);
  const [first] = messages.map(({ content }) => genAiParts(content).map(saidIn).join(''));
  return {
    id: before.id ?? textOf(record['sessionId']) ?? textOf(set?.['sessionId']),
    cwd: before.cwd ?? (first === undefined ? undefined : contextFolder(first)),
    spoken: before.spoken ?? (messages.some(isSaid) || undefined),
  };
}

const isSaid = (message: Fields): boolean =>
  roleOf(message) === 'model' || promptOf(message) !== undefined;

/** The first message tells the model where it works. */
const contextFolder = (text: string): string | undefined =>
  /(?:Workspace Directories:\*\*|working in the (?:following )?director(?:y|ies):)\s*(?:- )?(.+)/
    .exec(text)?.[1]
    ?.trim();

const headBytes = 256 * 1024;

/** Of a file that is one object, the first messages stand as texts within its beginning. */
async function objectHead(path: string): Promise<Head> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    const id = headRecords(text)
      .map((record) => textOf(record['sessionId']))
      .find(Boolean);
    const unescaped = text.replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
    return { id, cwd: contextFolder(unescaped), spoken: true };
  } finally {
    await file.close();
  }
}

/**
 * Lists sessions and subagents from files. A session is called by the id within its file; which folder
 * it belongs to is the project's, or, when nobody knows that any more, what it told its model.
 */
export async function findThreads(
  query: SourceQuery,
  memory: GeminiMemory,
  homes = homesOf(query),
): Promise<FindResult> {
  const search = new SessionSearch(query, memory);
  if (asksForAny(query)) for (const home of homes) await search.home(home);
  return search.result();
}

class SessionSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly memory: GeminiMemory,
  ) {
    super();
  }

  async home(home: string): Promise<void> {
    const { folders } = this.query;
    for (const project of await this.list(join(home, 'tmp'))) {
      if (!project.isDirectory()) continue;
      const root = await folderOfProject(home, project.name, folders, this.memory.files);
      if (root !== undefined && !isWanted(root, this.query)) continue;
      await this.chats(join(home, 'tmp', project.name, 'chats'), root);
      await this.saved(join(home, 'tmp', project.name));
    }
  }

  private async chats(folder: string, root: string | undefined): Promise<void> {
    const entries = await this.list(folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await this.subagents(path, entry.name, root);
      // One of the old form that was resumed went on in a copy beside it: both are that session.
      else if (session.test(entry.name)) {
        await this.session(path, root, undefined);
      }
    }
  }

  /** What `/chat save` wrote is the state of some session at some time, and does not say of which. */
  private async saved(folder: string): Promise<void> {
    const files = (await this.list(folder)).filter(({ name }) =>
      /^checkpoint-.*\.json$/.test(name),
    );
    if (files.length === 0) return;
    this.problem(
      folder,
      `${manyAre(files.length, 'saved chat')} not listed: which session it is of is not written down. \`thread inspect\` reads it`,
    );
  }

  private async subagents(folder: string, parent: string, root: string | undefined): Promise<void> {
    for (const entry of await this.list(folder)) {
      if (entry.name.endsWith('.jsonl')) await this.session(join(folder, entry.name), root, parent);
    }
  }

  private async session(
    path: string,
    root: string | undefined,
    parent: string | undefined,
  ): Promise<void> {
    await this.look(path, async (stats) => {
      const head = await this.memory.heads.read(path, stats);
      const cwd = root ?? head.cwd;
      if (head.spoken !== true || !isWanted(cwd, this.query)) return undefined;
      return { nativeId: head.id ?? basename(path).replace(/\.jsonl?$/, ''), parent, cwd };
    });
  }
}

const session = /^session-.*\.jsonl?$/;
