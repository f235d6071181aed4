import { readFile, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { dashed } from '../folders.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { isWanted } from '../wanted.js';
import { homesOf } from './homes.js';
import { plainForm } from './plainParse.js';
import { isPlainTranscript, messagesIn } from './plainText.js';
import { TranscriptParser } from './transcript.js';

/** `projects/<folder>/agent-transcripts/`: a file, or a folder with the subagents' files, for each conversation. */
export async function findTranscripts(
  query: SourceQuery,
  prompts: PromptCounts,
): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const home of homesOf(query)) {
    for (const project of await search.list(join(home, 'projects'))) {
      const cwd = query.folders.find(
        (folder) => plain(projectName(folder)) === plain(project.name),
      );
      if (!isWanted(cwd, query)) continue;
      const root = join(home, 'projects', project.name, 'agent-transcripts');
      for (const [nativeId, paths] of await transcriptsIn(search, root)) {
        await look(search, paths, { nativeId, cwd }, prompts);
        const inside = join(root, nativeId, 'subagents');
        for (const [sub, files] of byId(inside, await namesIn(search, inside))) {
          await look(search, files, { nativeId: sub, cwd, parent: nativeId }, prompts);
        }
      }
    }
  }
  return search.result();
}

/** Where the transcripts of the folders lie by Cursor's usual name for each; they may not be there. */
export const transcriptFolders = (query: SourceQuery): readonly string[] =>
  homesOf(query).flatMap((home) =>
    query.folders.map((folder) => join(home, 'projects', projectName(folder), 'agent-transcripts')),
  );

type Files = ReadonlyMap<string, readonly string[]>;

async function transcriptsIn(search: ThreadSearch, root: string): Promise<Files> {
  const found = new Map<string, readonly string[]>();
  for (const entry of await search.list(root)) {
    const { name } = entry;
    const folder = entry.isDirectory() ? join(root, name) : root;
    const names = entry.isDirectory() ? await namesIn(search, folder) : [name];
    for (const [id, paths] of byId(folder, names)) {
      if (folder === root || id === name) found.set(id, [...(found.get(id) ?? []), ...paths]);
    }
    // A conversation may have nothing but its subagents' files left.
    if (folder !== root && !found.has(name)) found.set(name, []);
  }
  return found;
}

const namesIn = async (search: ThreadSearch, folder: string): Promise<readonly string[]> =>
  (await search.list(folder)).map(({ name }) => name);

const extension = /\.(?:jsonl|txt)$/;

function byId(folder: string, names: readonly string[]): Files {
  const found = new Map<string, readonly string[]>();
  for (const name of names.filter((one) => extension.test(one))) {
    const id = name.replace(extension, '');
    found.set(id, [...(found.get(id) ?? []), join(folder, name)]);
  }
  return found;
}

/**
 * Takes a conversation. Cursor keeps one as text or, in newer versions, as lines; of one that it has in both ways the
 * lines are the later ones, and count, unless they have less of what the person asked.
 */
async function look(
  search: ThreadSearch,
  paths: readonly string[],
  thread: { readonly nativeId: string; readonly cwd: string | undefined; readonly parent?: string },
  prompts: PromptCounts,
): Promise<void> {
  const lines = paths.filter((path) => path.endsWith('.jsonl'));
  const texts = paths.filter((path) => path.endsWith('.txt'));
  const isLess =
    lines.length > 0 &&
    texts.length > 0 &&
    (await prompts.most(lines)) < (await prompts.most(texts));
  const chosen = lines.length === 0 || isLess ? texts : lines;
  for (const path of paths) {
    await search.look(path, () => Promise.resolve(chosen.includes(path) ? thread : undefined));
  }
}

/** How many prompts transcripts hold, each read again only once it has changed. */
export class PromptCounts {
  private readonly known = new Map<string, { readonly stamp: string; readonly count: number }>();

  async most(paths: readonly string[]): Promise<number> {
    return Math.max(...(await Promise.all(paths.map((path) => this.of(path)))));
  }

  private async of(path: string): Promise<number> {
    try {
      const stamp = stampOf(await stat(path));
      const before = this.known.get(path);
      if (before?.stamp === stamp) return before.count;
      const count = promptsIn(await readFile(path));
      this.known.set(path, { stamp, count });
      return count;
    } catch {
      // Whoever looks at the file itself tells what is wrong with it.
      return 0;
    }
  }
}

const stampOf = ({ size, mtimeMs }: Stats): string => `${size} ${mtimeMs}`;

function promptsIn(bytes: Buffer): number {
  const isText = isPlainTranscript(bytes.toString('utf8'));
  const parser = new TranscriptParser('', '', { turns: false }, isText ? plainForm : undefined);
  const records = isText
    ? messagesIn(bytes)
    : bytes
        .toString('utf8')
        .split('\n')
        .map((line) => Buffer.from(line));
  for (const record of records) parser.push(record);
  return parser.thread({ turns: false }).counts.userTurns;
}

/** Cursor's name for a folder: without the separator at its start, the rest as dashes. */
const projectName = (folder: string): string => dashed(folder.replace(/^[\\/]+/, ''));

const plain = (name: string): string => name.replace(/-+/g, '-').toLowerCase();
