import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { show } from '../../../test/agents/claudeThreads.js';
import { insert, sourceOn } from '../../../test/agents/sourceOn.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import { inspectFile } from '../inspect.js';
import { createGoose } from './source.js';

const folder = '/home/user/project';
const store = '.local/share/goose/sessions';

const text = (words: string) => ({ type: 'text', text: words });
const request = (id: string, name = 'developer__shell') => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name, arguments: { command: 'ls' } } },
});
const response = (id: string, toolResult: unknown) => ({ type: 'toolResponse', id, toolResult });

const messages = [
  { role: 'user', content: [text('Do it: 写')] },
  {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'Hm.' }, text('Looking'), request('a')],
  },
  {
    role: 'user',
    content: [response('a', { status: 'success', value: { content: [text('a.ts')] } })],
  },
  { role: 'assistant', content: [request('b'), request('c')] },
  { role: 'user', content: [response('b', { status: 'error', error: 'No such file' })] },
  { role: 'assistant', content: [text('Done ✅')] },
  { role: 'assistant', content: [{ type: 'conversationCompacted', msg: 'Shortened' }] },
  { role: 'user', content: [text('A summary for the model')], metadata: { userVisible: false } },
  {
    role: 'user',
    content: [text('Again'), { type: 'image', mimeType: 'image/png', data: 'AAAA' }],
  },
];

const turns = [
  'user: Do it: 写',
  'assistant: [Hm.] Looking developer__shell=>a.ts developer__shell=>No such file developer__shell=>? Done ✅',
  'system: compaction(Shortened)',
  'user: Again image(image/png, 3)',
];

const schema = `CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT,
  created_at TIMESTAMP, updated_at TIMESTAMP, extension_data TEXT, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content_json TEXT,
  created_timestamp INTEGER, metadata_json TEXT)`;

const session = (id: string, more = {}) =>
  insert('sessions', {
    id,
    name: 'Fix it',
    working_dir: folder,
    created_at: '2026-11-30 04:00:00',
    updated_at: '2026-11-30 05:00:00',
    extension_data: { 'todo.v0': { content: '- [x] Look\n- [ ] Write' } },
    model_config_json: { model_name: 'model-1' },
    ...more,
  });
const rows = (id: string, some = messages) =>
  some.map(({ role, content, ...rest }, at) =>
    insert('messages', {
      session_id: id,
      role,
      content_json: content,
      created_timestamp: 1_796_011_200 + at,
      metadata_json: 'metadata' in rest ? rest.metadata : { userVisible: true },
    }),
  );
const script = (...statements: readonly (string | readonly string[])[]) =>
  [schema, ...statements.flat()].join(';\n');

suite('Goose', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'goose-'));
  });
  teardown(() => rm(home, { recursive: true }));
  const on = () => sourceOn(createGoose(), home);

  test('a session is read with its results paired, and the store is not touched', async () => {
    const { database, find, thread } = on();
    const path = await database(
      `${store}/sessions.db`,
      script(session('20261130_1'), rows('20261130_1')),
    );
    const before = await treeHash(home);
    const { threads, problems } = await find();
    assert.deepEqual([threads.length, problems], [1, []]);
    const read = await thread(threads[0] ?? assert.fail());
    assert.deepEqual(show(read), turns);
    assert.deepEqual([read.title, read.cwd], ['Fix it', folder]);
    assert.deepEqual(read.todos, [
      { text: 'Look', state: 'done' },
      { text: 'Write', state: 'open' },
    ]);
    assert.deepEqual(await inspectFile(path), {
      agent: 'goose',
      tokens: null,
      sessionId: '20261130_1',
      cwd: folder,
      userTurns: 2,
      assistantMessages: 3,
      toolCalls: 3,
      toolResultsMatched: 2,
      toolResultsOrphan: 0,
      thinkingBlocks: 1,
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

  test('only sessions of the folder are found, also those of folders in it', async () => {
    const { database, find } = on();
    const others = ['/home/user/other', `${folder}/inner`, '/home/user/project-2'];
    await database(
      `${store}/sessions.db`,
      script(
        others.map((working_dir, at) => session(`s${at}`, { working_dir })),
        others.flatMap((_, at) => rows(`s${at}`)),
      ),
    );
    assert.deepEqual(
      (await find()).threads.map(({ nativeId }) => nativeId),
      ['s1'],
    );
  });

  test('a compaction that writes the rows anew leaves the conversation as it is now', async () => {
    const source = createGoose();
    const { database, find } = sourceOn(source, home);
    await database(`${store}/sessions.db`, script(session('s'), rows('s')));
    const [first] = (await find()).threads;
    const read = await source.read(first ?? assert.fail(), undefined);
    const parser = source.parser('s');
    for (const record of read.records) parser.push(record);
    const now = script(
      session('s'),
      rows('s'),
      'DELETE FROM messages',
      rows('s', messages.slice(-1)),
    );
    await database(`${store}/sessions.db`, now);
    const [found] = (await find()).threads;
    for (const record of (await source.read(found ?? assert.fail(), read.cursor)).records) {
      parser.push(record);
    }
    assert.deepEqual(show(parser.thread()), turns.slice(-1));
    assert.equal(parser.thread().counts.toolCalls, 3);
  });

  const legacy = [
    { working_dir: folder, description: 'Old one', message_count: 9, total_tokens: 3 },
    ...messages.map((message, at) => ({ ...message, created: 1_796_011_200 + at })),
  ].map((line) => JSON.stringify(line));

  test('files from before the database are read, unless the database has the session', async () => {
    const { file, find, thread, database } = on();
    const path = await file(`${store}/20250101_010101.jsonl`, `${legacy.join('\n')}\n{"role":"us`);
    const { threads, problems } = await find();
    assert.deepEqual([threads.length, problems], [1, []]);
    const read = await thread(threads[0] ?? assert.fail());
    assert.deepEqual([show(read), read.title, read.counts.malformed], [turns, 'Old one', 1]);
    assert.equal((await inspectFile(path)).agent, 'goose');
    await database(
      `${store}/sessions.db`,
      script(session('20250101_010101'), rows('20250101_010101')),
    );
    assert.deepEqual(
      (await find()).threads.map((one) => one.path.endsWith('.db')),
      [true],
    );
  });

  test('content that is no JSON costs its message alone', async () => {
    const { database, find, thread } = on();
    const broken = insert('messages', {
      session_id: 's',
      role: 'user',
      content_json: '[{"type":',
      created_timestamp: 1,
    });
    await database(`${store}/sessions.db`, script(session('s'), rows('s'), broken));
    const read = await thread((await find()).threads[0] ?? assert.fail());
    assert.deepEqual([show(read), read.counts.malformed], [turns, 1]);
  });

  test('a schema that is not known is said to be so', async () => {
    const { database, find } = on();
    await database(`${store}/sessions.db`, 'CREATE TABLE threads (id)');
    const { threads, problems } = await find();
    assert.equal(threads.length, 0);
    assert.match(
      problems[0]?.message ?? '',
      /it has no sessions, messages\. Its tables are threads\./,
    );
  });

  test('only ids of its own form are resumed', () => {
    const argv = (nativeId: string) => createGoose().resume?.({ nativeId });
    assert.deepEqual(argv('20261130_12'), [
      'goose',
      'session',
      '--resume',
      '--session-id',
      '20261130_12',
    ]);
    for (const hostile of ['', '--help', '20261130_1 x', '../x']) {
      assert.equal(argv(hostile), undefined);
    }
  });
});
