import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { show } from '../../../test/agents/claudeThreads.js';
import { insert, sourceOn } from '../../../test/agents/sourceOn.js';
import { storedZstd } from '../../../test/agents/storedZstd.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import { inspectFile } from '../inspect.js';
import { createCrush } from './source.js';

const schema = `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, todos TEXT,
  updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts BLOB NOT NULL default '[]',
  model TEXT, is_summary_message INTEGER DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`;

const part = (type: string, data: unknown) => ({ type, data });
const text = (words: string) => part('text', { text: words });
const call = (id: string) =>
  part('tool_call', { id, name: 'bash', input: '{"command":"ls"}', finished: true });
const result = (id: string, content: string, is_error = false) =>
  part('tool_result', { tool_call_id: id, name: 'bash', content, is_error });

const messages = [
  { role: 'user', parts: [text('Do it: 写')] },
  {
    role: 'assistant',
    model: 'model-1',
    parts: [part('reasoning', { thinking: 'Hm.' }), text('Looking'), call('a'), call('b')],
  },
  { role: 'tool', parts: [result('a', 'a.ts'), result('b', 'No such file', true)] },
  {
    role: 'assistant',
    model: 'model-1',
    parts: [text('Done ✅'), part('finish', { reason: 'end_turn' })],
  },
  { role: 'assistant', is_summary_message: 1, parts: [text('A summary')] },
  { role: 'user', parts: [text('Again')] },
];
const turns = [
  'user: Do it: 写',
  'assistant: [Hm.] Looking bash=>a.ts bash=>No such file Done ✅',
  'system: compaction(A summary)',
  'user: Again',
];

const at = 1_796_011_200;
const session = (id: string, more = {}) =>
  insert('sessions', {
    id,
    title: 'Fix it',
    todos: [{ content: 'Write', status: 'in_progress' }],
    created_at: at,
    updated_at: at + 100,
    ...more,
  });
const rows = (id: string, store: (json: string) => unknown = (json) => json) =>
  messages.map(({ parts, ...rest }, index) =>
    insert('messages', {
      id: `${id}-${index}`,
      session_id: id,
      parts: store(JSON.stringify(parts)),
      created_at: at + index,
      updated_at: at + index,
      ...rest,
    }),
  );
const script = (...statements: readonly (string | readonly string[])[]) =>
  [schema, ...statements.flat()].join(';\n');

suite('Crush', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'crush-'));
  });
  teardown(() => rm(home, { recursive: true }));
  const on = () => sourceOn(createCrush(), home, home);

  const isRead = (title: string, store?: (json: string) => unknown) =>
    test(`a session ${title} is read, and the store is not touched`, async () => {
      const { database, find, thread } = on();
      const path = await database('.crush/crush.db', script(session('s'), rows('s', store)));
      const before = await treeHash(home);
      const { threads, problems } = await find();
      assert.deepEqual([threads.length, problems], [1, []]);
      const read = await thread(threads[0] ?? assert.fail());
      assert.deepEqual([show(read), read.title, read.cwd], [turns, 'Fix it', home]);
      assert.deepEqual(read.todos, [{ text: 'Write', state: 'doing' }]);
      const { firstAt, lastAt, ...inspection } = await inspectFile(path);
      assert.deepEqual(
        [firstAt, lastAt].map((time) => Date.parse(time ?? '') / 1000 - at),
        [0, 100],
      );
      assert.deepEqual(inspection, {
        agent: 'crush',
        tokens: null,
        sessionId: 's',
        cwd: null,
        userTurns: 2,
        assistantMessages: 2,
        toolCalls: 2,
        toolResultsMatched: 2,
        toolResultsOrphan: 0,
        thinkingBlocks: 1,
        firstPrompt: 'Do it: 写',
        models: ['model-1'],
        malformed: 0,
        skipped: [],
        conversations: 1,
      });
      assert.equal(await treeHash(home), before);
    });
  isRead('of plain parts');
  isRead('of compressed parts', (json) => storedZstd(Buffer.from(json)));

  test('the session of a subagent has its parent', async () => {
    const { database, find } = on();
    await database(
      '.crush/crush.db',
      script(session('s'), rows('s'), session('t', { parent_session_id: 's' }), rows('t')),
    );
    assert.deepEqual(
      (await find()).threads.map(({ nativeId, parent }) => [nativeId, parent]),
      [
        ['s', undefined],
        ['t', 's'],
      ],
    );
  });

  test('parts that cannot be unpacked cost their message alone', async () => {
    const { database, find, thread } = on();
    const broken = storedZstd(Buffer.from('[]')).subarray(0, 8);
    const bad = insert('messages', {
      id: 'x',
      session_id: 's',
      role: 'user',
      parts: broken,
      created_at: at,
      updated_at: at,
    });
    await database('.crush/crush.db', script(session('s'), rows('s'), bad));
    const read = await thread((await find()).threads[0] ?? assert.fail());
    assert.deepEqual([show(read), read.counts.malformed], [turns, 1]);
  });

  test('a schema that is not known is said to be so', async () => {
    const { database, find } = on();
    await database('.crush/crush.db', 'CREATE TABLE sessions (id)');
    assert.match(
      (await find()).problems[0]?.message ?? '',
      /it has no sessions\.parent_session_id/,
    );
  });
});
