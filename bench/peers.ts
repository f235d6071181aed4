// What a user could pick instead: better-sqlite3 (WAL, FTS5) with the same records, and the checkpointer of LangGraph
// with a conversation that grows. They are installed into `.vscode-test/peers` once. Usage: peers.ts SCRATCH FIGURES
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openProject } from '../src/library/openProject.js';
import type { Figure } from './figures.js';
import { median, milliseconds, times, writeFigures } from './figures.js';
import { folderBytes, openRequest, prose, wasm } from './project.js';

const packages = [
  'better-sqlite3@12.11.1',
  '@langchain/langgraph-checkpoint-sqlite@1.0.4',
  '@langchain/langgraph-checkpoint@1',
  '@langchain/core@1',
];
const [scratch = '', figures = ''] = process.argv.slice(2);
const root = path.join(import.meta.dirname, '..', '.vscode-test', 'peers');
const megabyte = 1024 ** 2;

if (!existsSync(path.join(root, 'node_modules', 'better-sqlite3'))) {
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(root, 'package.json'), '{"private":true}');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync(npm, ['install', ...flags, ...packages], { cwd: root, stdio: 'inherit' });
}
const require = createRequire(path.join(root, 'package.json'));

/** The part of better-sqlite3 that is used. */
interface Database {
  pragma(text: string): unknown;
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): void; all(...values: unknown[]): unknown[] };
  transaction(run: () => void): () => void;
  close(): void;
}
const Sqlite = require('better-sqlite3') as new (file: string) => Database;

/** Of LangGraph's checkpointer. */
interface Saver {
  put(config: object, checkpoint: object, metadata: object, versions: object): Promise<object>;
}
const { SqliteSaver } = (await import(
  pathToFileURL(require.resolve('@langchain/langgraph-checkpoint-sqlite')).href
)) as { SqliteSaver: { fromConnString(file: string): Saver } };

const record = (at: number): string =>
  JSON.stringify({ type: 'user', at, message: { role: 'user', content: prose(4096) } });
const records = Array.from({ length: 25_000 }, (_, at) => record(at));
const size = records.reduce((sum, text) => sum + text.length, 0) / megabyte;
const rounds = 500;

const timed = async (run: () => unknown): Promise<number> => {
  const start = performance.now();
  await run();
  return performance.now() - start;
};

interface Stored {
  readonly save: number;
  readonly fill: number;
  readonly bytes: number;
}

/** Keeps records as one who builds on it would: text with a full-text index beside. */
const sqlite = async (): Promise<Stored & { readonly query: number }> => {
  const file = path.join(scratch, 'peer.db');
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE record (id INTEGER PRIMARY KEY, thread TEXT, body TEXT)');
  database.exec(
    "CREATE VIRTUAL TABLE words USING fts5(body, content='record', content_rowid='id')",
  );
  const insert = database.prepare('INSERT INTO record (thread, body) VALUES (?, ?)');
  const index = database.prepare('INSERT INTO words (rowid, body) VALUES (last_insert_rowid(), ?)');
  const keep = (texts: readonly string[]) =>
    database.transaction(() => {
      for (const text of texts) {
        insert.run('bench', text);
        index.run(text);
      }
    });
  const fill = await timed(() => {
    for (let at = 0; at < records.length; at += 256) keep(records.slice(at, at + 256))();
  });
  const saves: number[] = [];
  for (let at = 0; at < rounds; at += 1) saves.push(await timed(keep([record(at)])));
  const query = database.prepare('SELECT rowid FROM words WHERE words MATCH ? LIMIT 50');
  const words = prose(2000)
    .split(' ')
    .filter((word) => /^[a-z]\w{3,}$/.test(word));
  const queries: number[] = [];
  for (const word of words.slice(0, 100)) queries.push(await timed(() => query.all(word)));
  database.close();
  return { save: median(saves), fill, bytes: statSync(file).size, query: median(queries) };
};

const ours = async (): Promise<Stored> => {
  const request = openRequest(scratch);
  const { store } = await openProject(request, wasm);
  const encoder = new TextEncoder();
  let kept = 0;
  const keep = async (texts: readonly string[]): Promise<void> => {
    const first = kept;
    kept += texts.length;
    const cursor = { path: '/bench', offset: kept, generation: 0, records: kept, state: {} };
    const head = { schemaVersion: 1, thread: 'claude-code:bench', generation: 0, first } as const;
    const bytes = texts.map((text) => encoder.encode(text));
    await store.appendRecords(bytes, { ...head, count: texts.length, cursor });
  };
  const fill = await timed(async () => {
    for (let at = 0; at < records.length; at += 256) await keep(records.slice(at, at + 256));
  });
  const saves: number[] = [];
  for (let at = 0; at < rounds; at += 1) saves.push(await timed(() => keep([record(at)])));
  await store.close();
  return { save: median(saves), fill, bytes: folderBytes(request.store) };
};

/** Bytes after each of so many turns was a checkpoint of the whole conversation, as that library keeps them. */
const langGraph = async (
  turns: number,
): Promise<{ readonly bytes: number; readonly raw: number }> => {
  const file = path.join(scratch, 'checkpoints.db');
  const saver = SqliteSaver.fromConnString(file);
  const messages: object[] = [];
  let config: object = { configurable: { thread_id: 'bench', checkpoint_ns: '' } };
  for (let at = 0; at < turns; at += 1) {
    messages.push({ role: at % 2 === 0 ? 'user' : 'assistant', content: prose(1000) });
    const checkpoint = {
      v: 4,
      id: `00000000-0000-6000-8000-${String(at).padStart(12, '0')}`,
      ts: new Date(at * 1000).toISOString(),
      channel_values: { messages },
      channel_versions: { messages: at + 1 },
      versions_seen: {},
    };
    config = await saver.put(config, checkpoint, { source: 'loop', step: at, parents: {} }, {});
  }
  const all = [file, `${file}-wal`].filter((name) => existsSync(name));
  const bytes = all.reduce((sum, name) => sum + statSync(name).size, 0);
  return { bytes, raw: JSON.stringify(messages).length };
};

const peer = await sqlite();
const own = await ours();
const grown = await langGraph(800);
const rate = ({ fill }: Stored): string => `${((size / fill) * 1000).toFixed(0)} MB/s`;
const disk = ({ bytes }: Stored): string => times(bytes / megabyte / size);
writeFigures(figures, [
  {
    what: 'a save of 4 KB until lists show it, against better-sqlite3 (WAL, synchronous, FTS5)',
    measured: `${times(own.save / peer.save)} (${milliseconds(own.save)} against ${milliseconds(peer.save)}, p50 of ${rounds})`,
    goal: '',
  },
  {
    what: `taking in ${size.toFixed(0)} MB of records, against better-sqlite3`,
    measured: `${rate(own)} against ${rate(peer)} with its index`,
    goal: '',
  },
  {
    what: 'disk for each MB of records, against better-sqlite3',
    measured: `${disk(own)} before sealing against ${disk(peer)}`,
    goal: '',
  },
  {
    what: 'a word found by better-sqlite3 in the same records',
    measured: milliseconds(peer.query),
    goal: '',
  },
  {
    what: "800 turns of 1 KB with a checkpoint after each, LangGraph's checkpointer for SQLite against the last state",
    measured: `${times(grown.bytes / grown.raw)} (${(grown.bytes / megabyte).toFixed(0)} MB)`,
    goal: 'ours: growth',
  },
] satisfies Figure[]);
