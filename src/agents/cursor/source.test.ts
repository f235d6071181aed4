import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { show } from '../../../test/agents/claudeThreads.js';
import { ComposerWriter, created, stateScript } from '../../../test/agents/cursorRows.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import { inspectFile } from '../inspect.js';
import type { FoundThread, Source } from '../source.js';
import { imagesAfter, writeDatabase } from '../sqlite/testDatabase.js';
import { createCursor } from './source.js';

const folder = '/home/user/project';
const id = '0b0e6a52-6f0b-4a57-9c39-3a1e8a1f0a11';
const inFolder = { workspaceIdentifier: { id: 'w', uri: { fsPath: folder, scheme: 'file' } } };

suite('Cursor', () => {
  let home: string;
  let user: string;
  let source: Source;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'cursor-'));
    user = join(home, 'config', 'Cursor', 'User');
    source = createCursor();
  });
  teardown(() => rm(home, { recursive: true }));

  const find = (folders: readonly string[] = [folder]) =>
    source.find({
      folders,
      homes: [],
      env: { VSCODE_APPDATA: join(home, 'config') },
      userHome: home,
    });
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const writeGlobal = async (...rows: readonly Readonly<Record<string, string | null>>[]) => {
    const path = join(user, 'globalStorage', 'state.vscdb');
    await mkdir(dirname(path), { recursive: true });
    await writeDatabase(
      path,
      stateScript('cursorDiskKV', Object.fromEntries(rows.flatMap((some) => Object.entries(some)))),
    );
    return path;
  };
  const threadOf = async (found: FoundThread) => {
    const parser = source.parser(found.nativeId);
    for (const record of (await source.read(found, undefined)).records) parser.push(record);
    return parser.thread();
  };
  const onlyThread = async () => {
    const { threads, problems } = await find();
    assert.deepEqual([threads.length, problems], [1, []]);
    return threadOf(threads[0] ?? assert.fail());
  };
  const talk = (more = {}, nativeId = id) =>
    new ComposerWriter(nativeId, { ...inFolder, name: 'Fix it', ...more })
      .user('Do it: 写')
      .add({ type: 2, text: '', capabilityType: 30, thinking: { text: 'Hm.' } })
      .say('Looking')
      .call('t1')
      .call('t2', { status: 'error', result: '', error: 'No such file' })
      .call('t3', { status: 'cancelled', result: undefined })
      .say('Done ✅', { modelInfo: { modelName: 'model-1' } })
      .user('Again');

  const turns = [
    'user: Do it: 写',
    'assistant: [Hm.] Looking run_terminal_cmd=>out t1 run_terminal_cmd=>No such file run_terminal_cmd=>? Done ✅',
    'user: Again',
  ];

  test('a conversation of the editor is read in its own order, and the store is not touched', async () => {
    const path = await writeGlobal(
      talk({ todos: [{ content: 'x', status: 'in_progress' }] }).rows(),
    );
    const before = await treeHash(home);
    const thread = await onlyThread();
    assert.deepEqual(show(thread), turns);
    assert.deepEqual([thread.title, thread.cwd, thread.nativeId], ['Fix it', folder, id]);
    assert.deepEqual(thread.todos, [{ text: 'x', state: 'doing' }]);
    const { firstAt, lastAt, ...inspection } = await inspectFile(path);
    assert.deepEqual(
      [firstAt, lastAt].map((at) => Date.parse(at ?? '') - created),
      [0, 8000],
    );
    assert.deepEqual(inspection, {
      agent: 'cursor',
      tokens: null,
      sessionId: id,
      cwd: folder,
      userTurns: 2,
      assistantMessages: 6,
      toolCalls: 3,
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

  test('of many conversations each change is seen, also in one that rested for long', async () => {
    const name = (at: number) => `${String(at).padStart(8, '0')}-6f0b-4a57-9c39-3a1e8a1f0a11`;
    const rows = Array.from({ length: 40 }, (_, at) =>
      Object.entries(talk({ lastUpdatedAt: created + at * 1000 }, name(at)).rows()),
    ).flat();
    const [key = '', value = ''] = rows.find(([one]) => one.startsWith('bubbleId:')) ?? [];
    const images = await imagesAfter(
      stateScript('cursorDiskKV', Object.fromEntries(rows)),
      `INSERT INTO cursorDiskKV VALUES ('${key}', '${value} ')`,
      `DELETE FROM cursorDiskKV WHERE key LIKE '%:${name(1)}%'`,
      `UPDATE cursorDiskKV SET value = value || '  ' WHERE key LIKE 'bubbleId:${name(39)}:%'`,
    );
    const path = join(user, 'globalStorage', 'state.vscdb');
    await mkdir(dirname(path), { recursive: true });
    const listed = async (image: Buffer) => {
      await writeFile(path, image);
      const { threads, problems } = await find();
      assert.deepEqual(problems, []);
      return new Map(threads.map(({ nativeId, bytes }) => [nativeId, bytes]));
    };
    const expected = await listed(images[0] ?? assert.fail());
    assert.equal(expected.size, 40);
    const grows = (at: number, by: number) =>
      expected.set(name(at), (expected.get(name(at)) ?? 0) + by);
    grows(0, 1);
    assert.deepEqual(await listed(images[1] ?? assert.fail()), expected);
    expected.delete(name(1));
    assert.deepEqual(await listed(images[2] ?? assert.fail()), expected);
    // In place, as an answer that streams into the conversation that was active last.
    grows(39, 2 * 8);
    assert.deepEqual(await listed(images[3] ?? assert.fail()), expected);
  });

  test('a bubble more costs itself and the composer, whatever long members the composer has', async () => {
    const long = { codeBlockData: { text: 'x'.repeat(10_000) } };
    await writeGlobal(talk(long).rows());
    const [first] = (await find()).threads;
    const { records, cursor } = await source.read(first ?? assert.fail(), undefined);
    assert.equal(records.length, 2 + 8);
    await writeGlobal(talk(long).say('More').rows());
    const [now] = (await find()).threads;
    const news = await source.read(now ?? assert.fail(), cursor);
    assert.equal(news.records.length, 2);
    assert.ok(news.records.every((record) => record.length < 1000));
  });

  test('bubbles that the conversation does not name are kept and not shown', async () => {
    await writeGlobal(talk().lose({ type: 1, text: 'Taken back' }).rows());
    const thread = await onlyThread();
    assert.deepEqual(show(thread), turns);
    assert.equal(thread.counts.userTurns, 2);
  });

  test('conversations of the older form, with their bubbles inside, are read', async () => {
    await writeGlobal(talk().inlineRows());
    assert.deepEqual(show(await onlyThread()), turns);
  });

  test('values that are empty or no JSON cost themselves only', async () => {
    await writeGlobal(talk().rows(), {
      'composerData:null': null,
      'composerData:broken': '{"name":',
      [`bubbleId:${id}:broken`]: '{"type":1,"te',
      [`bubbleId:${id}:null`]: null,
    });
    const thread = await onlyThread();
    assert.deepEqual([show(thread), thread.counts.malformed], [turns, 1]);
  });

  test('before a conversation named its folder, the workspace’s own database did', async () => {
    const other = '0b0e6a52-6f0b-4a57-9c39-3a1e8a1f0a22';
    const none = { workspaceIdentifier: undefined };
    await writeGlobal(talk(none).rows(), talk(none, other).rows());
    const storage = join(user, 'workspaceStorage', 'abc');
    await write(join(storage, 'workspace.json'), JSON.stringify({ folder: `file://${folder}` }));
    const data = JSON.stringify({ allComposers: [{ composerId: id, name: 'Fix it' }] });
    await writeDatabase(
      join(storage, 'state.vscdb'),
      stateScript('ItemTable', { 'composer.composerData': data }),
    );
    const { threads, problems } = await find();
    assert.deepEqual(
      [threads.map(({ nativeId, cwd }) => [nativeId, cwd]), problems],
      [[[id, folder]], []],
    );
  });

  test('subagents belong where the conversation does that started them', async () => {
    const sub = '0b0e6a52-6f0b-4a57-9c39-3a1e8a1f0a33';
    await writeGlobal(
      talk({ subagentComposerIds: [sub] }).rows(),
      talk({ workspaceIdentifier: undefined }, sub).rows(),
      talk({ workspaceIdentifier: { uri: { fsPath: '/home/user/other' } } }, 'elsewhere').rows(),
    );
    const { threads } = await find();
    assert.deepEqual(
      threads.map(({ nativeId, parent }) => [nativeId, parent]),
      [
        [id, undefined],
        [sub, id],
      ],
    );
  });

  test('a database of another form says so', async () => {
    await mkdir(join(user, 'globalStorage'), { recursive: true });
    await writeDatabase(join(user, 'globalStorage', 'state.vscdb'), 'CREATE TABLE chats (id)');
    const { threads, problems } = await find();
    assert.deepEqual([threads.length, problems.length], [0, 1]);
    assert.match(problems[0]?.message ?? '', /format .* is not known/);
  });

  const line = (role: string, ...content: readonly unknown[]) =>
    JSON.stringify({ role, message: { content } });
  const text = (words: string) => ({ type: 'text', text: words });
  const transcript = [
    JSON.stringify({ type: 'metadata', metadata: { overview: 'x' } }),
    line('user', text('<user_info>\nOS\n</user_info>')),
    line(
      'user',
      text('<timestamp>Sunday</timestamp>\n<user_query>\nFix the <b> tag\n</user_query>'),
    ),
    line('assistant', text('On it.\n\n[REDACTED]'), {
      type: 'tool_use',
      name: 'Read',
      input: { path: 'a' },
    }),
    line('assistant', text('[REDACTED]'), { type: 'tool_use', name: 'Shell', input: {} }),
    line('assistant', text('Done.')),
    JSON.stringify({ type: 'turn_ended', status: 'success' }),
  ];
  const transcripts = () =>
    join(home, '.cursor', 'projects', 'home-user-project', 'agent-transcripts');

  test('transcripts are found by their folder’s name, with those of subagents', async () => {
    const sub = line('user', text('<user_query>Look</user_query>'));
    await write(join(transcripts(), id, `${id}.jsonl`), `${transcript.join('\n')}\n`);
    await write(join(transcripts(), id, 'subagents', 'sub.jsonl'), `${sub}\n`);
    await write(join(transcripts(), 'flat.jsonl'), `${sub}\n`);
    const { threads, problems } = await find();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      threads.map(({ nativeId, parent, cwd }) => [nativeId, parent, cwd]),
      [
        [id, undefined, folder],
        ['sub', id, folder],
        ['flat', undefined, folder],
      ],
    );
    assert.deepEqual(show(await threadOf(threads[0] ?? assert.fail())), [
      'user: Fix the <b> tag',
      'assistant: On it. Read=>? Shell=>? Done.',
    ]);
    assert.deepEqual((await find(['/home/user/project-2', '/home/user'])).threads, []);
  });

  test('a transcript is counted by its lines; calls have no ids there', async () => {
    const path = join(transcripts(), `${id}.jsonl`);
    await write(path, `${transcript.join('\n')}\n{"role":"assis`);
    const { skipped, ...counts } = await inspectFile(path);
    assert.deepEqual(
      skipped.map(({ line: number, reason }) => [number, reason]),
      [[8, 'incomplete']],
    );
    assert.deepEqual(counts, {
      agent: 'cursor',
      tokens: null,
      sessionId: id,
      cwd: null,
      userTurns: 1,
      assistantMessages: 3,
      toolCalls: null,
      toolResultsMatched: null,
      toolResultsOrphan: null,
      thinkingBlocks: 0,
      firstPrompt: 'Fix the <b> tag',
      models: [],
      firstAt: null,
      lastAt: null,
      malformed: 1,
    });
  });

  const plain = (...prompts: readonly string[]) =>
    prompts
      .map((prompt) => `user:\n<user_query>\n${prompt}\n</user_query>\n\nassistant:\nYes.\n\n`)
      .join('');

  test('transcripts of plain text are found, also of subagents, and read on while they are written', async () => {
    const path = join(transcripts(), id, `${id}.txt`);
    await write(path, plain('one'));
    await write(join(transcripts(), id, 'subagents', 'sub.txt'), plain('look'));
    await write(join(transcripts(), 'flat.txt'), plain('flat'));
    await write(join(transcripts(), id, 'notes.md'), 'no transcript');
    const { threads, problems, filesLookedAt } = await find();
    assert.deepEqual([problems, filesLookedAt], [[], 3]);
    assert.deepEqual(
      threads.map(({ nativeId, parent, cwd }) => [nativeId, parent, cwd]),
      [
        [id, undefined, folder],
        ['sub', id, folder],
        ['flat', undefined, folder],
      ],
    );
    const [first] = threads;
    const before = await source.read(first ?? assert.fail(), undefined);
    await write(path, `${plain('one')}user:\n<user_query>two`);
    const after = await source.read((await find()).threads[0] ?? assert.fail(), before.cursor);
    assert.deepEqual(
      after.records.map((record) => Buffer.from(record).toString()),
      ['user:\n<user_query>two'],
    );
    assert.equal((await inspectFile(path)).sessionId, id);
  });

  test('of a conversation that is there as text and as lines, the one that asks more counts, once', async () => {
    const lines = (...prompts: readonly string[]) =>
      prompts.map((prompt) => `${line('user', text(prompt))}\n`).join('');
    const promptsFound = async () => {
      const { threads, filesLookedAt } = await find();
      assert.deepEqual([threads.length, filesLookedAt], [1, 2]);
      return (await threadOf(threads[0] ?? assert.fail())).counts.userTurns;
    };
    const [asText, asLines] = [
      join(transcripts(), `${id}.txt`),
      join(transcripts(), id, `${id}.jsonl`),
    ];
    await write(asText, plain('one', 'two'));
    await write(asLines, lines('one', 'two'));
    assert.match((await find()).threads[0]?.path ?? '', /jsonl$/);
    assert.equal(await promptsFound(), 2);
    await write(asText, plain('one', 'two', 'three'));
    assert.equal(await promptsFound(), 3);
    await write(asLines, lines('one', 'two', 'three', 'four'));
    assert.equal(await promptsFound(), 4);
  });

  test('the editor’s own copy of a conversation is preferred to its transcript', async () => {
    await writeGlobal(talk().rows());
    await write(join(transcripts(), `${id}.jsonl`), `${transcript.join('\n')}\n`);
    assert.deepEqual(show(await onlyThread()), turns);
  });

  test('a chat of the command line is read by its root blob’s order', async () => {
    const blob = (data: Buffer) => [createHash('sha256').update(data).digest('hex'), data] as const;
    const message = (role: string, content: unknown) =>
      blob(Buffer.from(JSON.stringify({ role, content })));
    const messages = [
      message('system', 'You are'),
      message('user', [text('<user_query>\nHello\n</user_query>')]),
      message('assistant', [
        { type: 'reasoning', text: 'Hm' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'Shell', args: { command: 'ls' } },
      ]),
      message('tool', [{ type: 'tool-result', toolCallId: 'c1', result: 'a.ts' }]),
      message('assistant', [text('There is a.ts')]),
    ];
    const names = messages.map(([name]) =>
      Buffer.concat([Buffer.of(0x0a, 32), Buffer.from(name, 'hex')]),
    );
    const root = blob(Buffer.concat([...names, Buffer.of(0x12, 1, 0x78)]));
    const meta = { agentId: id, latestRootBlobId: root[0], name: 'Talk', createdAt: created };
    const rows = [...messages, root].map(
      ([name, data]) => `('${name}', x'${data.toString('hex')}')`,
    );
    const key = createHash('md5').update(folder).digest('hex');
    const path = join(home, '.cursor', 'chats', key, id, 'store.db');
    await mkdir(dirname(path), { recursive: true });
    await writeDatabase(
      path,
      `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
       INSERT INTO meta VALUES ('0', '${Buffer.from(JSON.stringify(meta)).toString('hex')}');
       INSERT INTO blobs VALUES ${rows.toSorted().join()}`,
    );
    const thread = await onlyThread();
    assert.deepEqual(show(thread), ['user: Hello', 'assistant: [Hm] Shell=>a.ts There is a.ts']);
    assert.deepEqual([thread.title, thread.counts.firstAt], ['Talk', created]);
    const { assistantMessages, toolCalls, toolResultsMatched } = thread.counts;
    assert.deepEqual([assistantMessages, toolCalls, toolResultsMatched], [2, 1, 1]);
  });
});
