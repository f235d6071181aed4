import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { treeHash } from '../../test/agents/treeHash.js';

import { isExpected } from '../core/errors.js';
import { sourceOf } from './registry.js';
import type { FindResult } from './source.js';
import { databases } from './sqlite/reader.js';
import { writeDatabase } from './sqlite/testDatabase.js';

interface Store {
  readonly agent: string;
  /** Of the kept database. */
  readonly fixture: string;
  /** Where the agent puts it, below the user's home. */
  readonly path: string;
  /** The table that lists its conversations; absent: theirs stand among other things in one table. */
  readonly table?: string;
  /** Tables and columns of the format, none of them with a row. */
  readonly empty: string;
}

const openCode =
  'CREATE TABLE session (id, parent_id, directory, title, version, revert, time_created, time_updated);' +
  'CREATE TABLE message (id, session_id, time_created, time_updated, data);' +
  'CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data)';

const stores: readonly Store[] = [
  {
    agent: 'opencode',
    fixture: 'opencode-1.18.33-work.db',
    path: '.local/share/opencode/opencode.db',
    table: 'session',
    empty: openCode,
  },
  {
    agent: 'kilo-code',
    fixture: 'kilo-7.7.9-hello.db',
    path: '.local/share/kilo/kilo.db',
    table: 'session',
    empty: openCode,
  },
  {
    agent: 'cursor',
    fixture: 'small.db',
    path: '.config/Cursor/User/globalStorage/state.vscdb',
    empty: 'CREATE TABLE cursorDiskKV (key, value); CREATE TABLE ItemTable (key, value)',
  },
  {
    agent: 'goose',
    fixture: 'small.db',
    path: '.local/share/goose/sessions/sessions.db',
    table: 'sessions',
    empty:
      'CREATE TABLE sessions (id, name, description, session_type, working_dir, created_at, updated_at, extension_data, model_config_json);' +
      'CREATE TABLE messages (id, session_id, role, content_json, created_timestamp, metadata_json)',
  },
  {
    agent: 'zed',
    fixture: 'small.db',
    path: '.local/share/zed/threads/threads.db',
    table: 'threads',
    empty:
      'CREATE TABLE threads (id, parent_id, folder_paths, summary, updated_at, created_at, data_type, data)',
  },
  {
    agent: 'kiro',
    fixture: 'cli-v1.db',
    path: '.local/share/kiro-cli/data.sqlite3',
    empty: 'CREATE TABLE conversations_v2 (key, conversation_id, value, created_at, updated_at)',
  },
  {
    agent: 'crush',
    fixture: 'small.db',
    path: '.crush/crush.db',
    table: 'sessions',
    empty:
      'CREATE TABLE sessions (id, parent_session_id, title, todos, updated_at, created_at);' +
      'CREATE TABLE messages (id, session_id, role, parts, model, is_summary_message, created_at, updated_at)',
  },
];

const usualWhole = databases.wholeBytes;
const fixtures = new URL('../../test/fixtures/', import.meta.url).pathname;

/** Read as a whole, and as the ones that are too large for that. */
for (const [how, wholeBytes] of [
  ['', usualWhole],
  [' read page by page', 0],
] as const) {
  suite(`databases of agents${how}`, () => {
    let home: string;
    setup(async () => {
      home = await mkdtemp(join(tmpdir(), 'databases-'));
      databases.wholeBytes = wholeBytes;
    });
    teardown(async () => {
      databases.wholeBytes = usualWhole;
      await rm(home, { recursive: true });
    });

    for (const store of stores) {
      const source = () => sourceOf(store.agent) ?? assert.fail(store.agent);
      const place = async (): Promise<string> => {
        const path = join(home, store.path);
        await mkdir(dirname(path), { recursive: true });
        return path;
      };
      const kept = async (): Promise<string> => {
        const path = await place();
        const from = join(fixtures, store.agent, store.fixture);
        await copyFile(from, path);
        await copyFile(`${from}-wal`, `${path}-wal`).catch(() => undefined);
        return path;
      };
      const find = async (): Promise<FindResult> => {
        const before = await treeHash(home);
        const query = { folders: [home], everywhere: true, homes: [], env: {}, userHome: home };
        const result = await source().find(query);
        assert.equal(await treeHash(home), before);
        return result;
      };
      const told = async (expected: RegExp): Promise<void> => {
        const { threads, problems } = await find();
        assert.deepEqual([threads, problems.length], [[], 1]);
        assert.match(problems[0]?.message ?? '', expected);
      };
      const agentTest = (title: string, check: () => Promise<void>) =>
        test(`of ${store.agent}: ${title}`, check);

      agentTest('the kept one is found and read without a file beside it', async () => {
        await kept();
        const { threads, problems } = await find();
        assert.ok(threads.length > 0);
        assert.deepEqual(problems, []);
        const before = await treeHash(home);
        for (const thread of threads) {
          assert.ok((await source().read(thread, undefined)).records.length > 0);
        }
        assert.equal(await treeHash(home), before);
      });

      agentTest('one without conversations has none, and that is no problem', async () => {
        await writeDatabase(await place(), store.empty);
        const { threads, problems } = await find();
        assert.deepEqual([threads, problems], [[], []]);
      });

      agentTest(
        'one that lacks its tables is not of no conversations: its tables are told',
        async () => {
          await writeDatabase(await place(), 'CREATE TABLE later (id, body)');
          await told(/format .* is not known.* Its tables are later\./);
        },
      );

      const { table } = store;
      if (table !== undefined) {
        agentTest('one whose list of conversations has other columns is told', async () => {
          const others = store.empty.split(';').filter((one) => !one.includes(` ${table} (`));
          await writeDatabase(await place(), [...others, `CREATE TABLE ${table} (uuid)`].join(';'));
          await told(new RegExp(`format .* is not known: it has no ${table}\\.`));
        });
      }

      agentTest('what is no database is told', async () => {
        await writeFile(await place(), 'not a database '.repeat(400));
        await told(/./);
      });

      agentTest('a page of it that is damaged is told, or costs what is on it', async () => {
        const path = await kept();
        await rm(`${path}-wal`, { force: true });
        const bytes = await readFile(path);
        const size = bytes.readUInt16BE(16);
        for (let at = size; at < bytes.length; at += size) {
          await writeFile(path, Buffer.from(bytes).fill(0xa5, at, at + size));
          await tellsOrReads();
        }
        await writeFile(path, bytes);
        await truncate(path, bytes.length - size);
        await tellsOrReads();
      });

      /** Nothing is thrown but what can be told; no conversation is lost without a word. */
      const tellsOrReads = async (): Promise<void> => {
        const { threads, problems } = await find();
        assert.ok(threads.length > 0 || problems.length > 0, 'said to hold nothing');
        for (const thread of threads) {
          await source()
            .read(thread, undefined)
            .catch((error: unknown) => assert.ok(isExpected(error), String(error)));
        }
      };
    }
  });
}
