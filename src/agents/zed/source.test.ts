import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { show } from '../../../test/agents/claudeThreads.js';
import { insert, sourceOn } from '../../../test/agents/sourceOn.js';
import { storedZstd } from '../../../test/agents/storedZstd.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import { inspectFile } from '../inspect.js';
import { createZed } from './source.js';

const folder = '/home/user/project';
const store = '.local/share/zed/threads/threads.db';

const use = (id: string, name = 'terminal') => ({
  ToolUse: { id, name, raw_input: '{}', input: { command: 'ls' } },
});
const result = (content: unknown, is_error = false) => ({
  tool_name: 'terminal',
  is_error,
  content,
});

const messages = [
  {
    User: {
      id: 'u1',
      content: [
        { Text: 'Do it: 写 ' },
        { Mention: { uri: { File: { abs_path: '/home/user/project/a.ts' } }, content: 'x' } },
      ],
    },
  },
  {
    Agent: {
      content: [
        { Thinking: { text: 'Hm.', signature: 's' } },
        { Text: 'Looking' },
        use('a'),
        use('b'),
      ],
      tool_results: { a: result({ Text: 'a.ts' }), b: result({ Text: 'No such file' }, true) },
    },
  },
  'Resume',
  {
    Agent: {
      content: [{ RedactedThinking: 'x' }, { Text: 'Done ✅' }, use('c')],
      tool_results: {},
    },
  },
  { Later: { content: 'not known' } },
  { User: { id: 'u2', content: [{ Text: 'Again' }] } },
];
const thread = {
  version: '0.3.0',
  title: 'Fix it',
  messages,
  model: { provider: 'p', model: 'model-1' },
};

const turns = [
  'user: Do it: 写  @/home/user/project/a.ts',
  'assistant: [Hm.] Looking terminal=>a.ts terminal=>No such file [] Done ✅ terminal=>?',
  'user: Again',
];

const schema = `CREATE TABLE threads (id TEXT PRIMARY KEY, parent_id TEXT, folder_paths TEXT, folder_paths_order TEXT,
  summary TEXT NOT NULL, updated_at TEXT NOT NULL, created_at TEXT, data_type TEXT NOT NULL, data BLOB NOT NULL)`;
const row = (id: string, data: unknown = thread, more = {}) =>
  insert('threads', {
    id,
    summary: 'Fix it',
    folder_paths: folder,
    updated_at: '2026-11-30T05:00:00Z',
    created_at: '2026-11-30T04:00:00+00:00',
    data_type: 'zstd',
    data: storedZstd(Buffer.from(JSON.stringify(data))),
    ...more,
  });

suite('Zed', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'zed-'));
  });
  teardown(() => rm(home, { recursive: true }));
  const on = () => sourceOn(createZed(), home);

  test('a compressed thread is read with its results paired, and the store is not touched', async () => {
    const { database, find, thread: read } = on();
    const path = await database(store, [schema, row('t1')].join(';'));
    const before = await treeHash(home);
    const { threads, problems } = await find();
    assert.deepEqual([threads.length, problems], [1, []]);
    const found = await read(threads[0] ?? assert.fail());
    assert.deepEqual(show(found), turns);
    assert.deepEqual([found.title, found.cwd, found.version], ['Fix it', folder, '0.3.0']);
    assert.deepEqual(await inspectFile(path), {
      agent: 'zed',
      tokens: null,
      sessionId: 't1',
      cwd: folder,
      userTurns: 2,
      assistantMessages: 2,
      toolCalls: 3,
      toolResultsMatched: 2,
      toolResultsOrphan: 0,
      thinkingBlocks: 2,
      firstPrompt: 'Do it: 写',
      models: ['model-1'],
      firstAt: '2026-11-30T04:00:00.000Z',
      lastAt: '2026-11-30T05:00:00.000Z',
      malformed: 0,
      skipped: [],
      conversations: 1,
    });
    assert.equal(await treeHash(home), before);
  });

  test('a message more costs itself and what is not a message', async () => {
    const source = createZed();
    const { database, find } = sourceOn(source, home);
    await database(store, [schema, row('t1')].join(';'));
    const [first] = (await find()).threads;
    const { cursor } = await source.read(first ?? assert.fail(), undefined);
    const grown = { ...thread, messages: [...messages, { User: { content: [{ Text: 'More' }] } }] };
    await database(
      store,
      [schema, row('t1', grown, { updated_at: '2026-11-30T06:00:00Z' })].join(';'),
    );
    const [now] = (await find()).threads;
    assert.equal((await source.read(now ?? assert.fail(), cursor)).records.length, 2);
  });

  test('threads of several folders, of folders inside and of subagents are found', async () => {
    const { database, find } = on();
    await database(
      store,
      [
        schema,
        row('two', thread, { folder_paths: `/home/user/other\n${folder}/inner` }),
        row('sub', thread, { folder_paths: '', parent_id: 'two' }),
        row('not', thread, { folder_paths: '/home/user/other' }),
      ].join(';'),
    );
    assert.deepEqual(
      (await find()).threads.map(({ nativeId, parent }) => [nativeId, parent]),
      [
        ['two', undefined],
        ['sub', 'two'],
      ],
    );
  });

  test('the older form, plain and with roles, is read; its folder is in the thread itself', async () => {
    const old = {
      version: '0.2.0',
      summary: 'Old one',
      initial_project_snapshot: {
        worktree_snapshots: [{ worktree_path: folder, git_state: { current_branch: 'main' } }],
      },
      messages: [
        {
          id: 0,
          role: 'user',
          segments: [{ type: 'text', text: 'Do it' }],
          tool_uses: [],
          tool_results: [],
        },
        {
          id: 1,
          role: 'assistant',
          segments: [
            { type: 'thinking', text: 'Hm.' },
            { type: 'text', text: 'Yes' },
          ],
          tool_uses: [{ id: 'a', name: 'terminal', input: {} }],
        },
        {
          id: 2,
          role: 'user',
          segments: [],
          tool_results: [{ tool_use_id: 'a', is_error: false, content: 'a.ts' }],
        },
      ],
    };
    const columns = 'id TEXT PRIMARY KEY, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB';
    const { database, find, thread: read } = on();
    const data = Buffer.from(JSON.stringify(old));
    const at = '2025-06-01T00:00:00Z';
    await database(
      store,
      [
        `CREATE TABLE threads (${columns})`,
        insert('threads', {
          id: 'old',
          summary: 'Old one',
          updated_at: at,
          data_type: 'json',
          data,
        }),
        insert('threads', { id: 'broken', summary: '?', updated_at: at, data_type: 'zstd', data }),
      ].join(';'),
    );
    const { threads } = await find();
    assert.equal(threads.length, 1);
    const found = await read(threads[0] ?? assert.fail());
    assert.deepEqual(show(found), ['user: Do it', 'assistant: [Hm.] Yes terminal=>a.ts']);
    assert.deepEqual([found.cwd, found.branch, found.title], [folder, 'main', 'Old one']);
  });

  test('a thread that cannot be unpacked says so, and the others are read', async () => {
    const { database, find, thread: read } = on();
    await database(
      store,
      [
        schema,
        row('t1'),
        row('cut', thread, { data: storedZstd(Buffer.from('{"a":1}')).subarray(0, 9) }),
      ].join(';'),
    );
    const { threads } = await find();
    const cut = threads.find(({ nativeId }) => nativeId === 'cut');
    await assert.rejects(read(cut ?? assert.fail()), /cannot be unpacked/);
    assert.deepEqual(show(await read(threads.find((one) => one !== cut) ?? assert.fail())), turns);
  });

  test('a schema that is not known is said to be so', async () => {
    const { database, find } = on();
    await database(store, 'CREATE TABLE talks (id)');
    assert.match(
      (await find()).problems[0]?.message ?? '',
      /it has no threads\. Its tables are talks\./,
    );
  });
});
