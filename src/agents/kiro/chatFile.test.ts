import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { show } from '../../../test/agents/claudeThreads.js';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { foldFile } from '../foldFile.js';
import { workspaceName } from './chatStore.js';
import { createKiro } from './source.js';

const store = '.config/Kiro/User/globalStorage/kiro.kiroagent';
const id = '6a1f8b63-7b1f-4c9f-8b75-1a2b3c4d5e6f';
const noCalls = { toolCalls: null, toolResultsMatched: null, toolResultsOrphan: null };
const fixture = (name: string) =>
  new URL(`../../../test/fixtures/kiro/${name}`, import.meta.url).pathname;

sourceConforms('Kiro’s executions', {
  create: createKiro,
  id,
  path: (cwd) => `${store}/${workspaceName(cwd)}/${'a'.repeat(32)}.chat`,
  // The folder's hash alone does not tell its name.
  beside: (cwd) => ({
    [`${store}/workspace-sessions/${Buffer.from(cwd).toString('base64')}/sessions.json`]: '[]',
  }),
  lines: () =>
    [
      { role: 'human', content: '<identity>\nYou are\n</identity>' },
      { role: 'bot', content: 'I will follow these instructions.' },
      { role: 'human', content: 'one 你好' },
      { role: 'bot', content: 'looking <tool_use><name>readFile</name></tool_use>' },
      { role: 'tool', content: 'text' },
      { role: 'bot', content: 'done' },
      { role: 'human', content: 'two' },
      { role: 'bot', content: 'done again' },
      { executionId: 'e', actionId: 'a', metadata: { workflowId: id, startTime: 1768206601000 } },
    ].map((record) => JSON.stringify(record)),
  whole: { list: 'chat' },
  noCallIds: true,
  noRecordIds: true,
});

suite('what executions of Kiro’s editor hold', () => {
  fixtureHolds('kiro', 'small.chat', {
    ...noCalls,
    userTurns: 2,
    assistantMessages: 4,
    thinkingBlocks: 0,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['claude-sonnet-4'],
    firstAt: '2026-01-12T08:30:31.000Z',
    lastAt: '2026-01-12T08:30:53.000Z',
    malformed: 0,
  });
  fixtureHolds('kiro', 'drift.chat', {
    ...noCalls,
    userTurns: 1,
    assistantMessages: 1,
    firstPrompt: 'first prompt 第一',
    models: ['auto'],
    lastAt: '2026-01-12T08:30:01.000Z',
    malformed: 0,
  });
  fixtureHolds('kiro', 'damaged.chat', { userTurns: 1, assistantMessages: 2, malformed: 1 });
});

suite('executions in a store of Kiro', () => {
  let home: string;
  let workspace: string;
  const folder = '/w/app';
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'kiro-'));
    workspace = join(home, store, workspaceName(folder));
    await mkdir(workspace, { recursive: true });
    await copyFile(fixture('small.chat'), join(workspace, `${'b'.repeat(32)}.chat`));
  });
  teardown(() => rm(home, { recursive: true }));

  const source = createKiro();
  const find = (...folders: readonly string[]) =>
    source.find({ folders, homes: [], env: {}, userHome: home });
  const onlyThread = async () => {
    const { threads } = await find(folder);
    assert.equal(threads.length, 1);
    const [found = assert.fail()] = threads;
    assert.deepEqual([found.nativeId, found.cwd], [id, folder]);
    return (await foldFile(source, found)).thread();
  };

  test('those of one workflow are one conversation, each message of it once', async () => {
    const whole = await onlyThread();
    assert.deepEqual(show(whole), [
      'user: Why does the cart total come out wrong? 购物车',
      'assistant: I look first. readFile=>for (let at = 0; at < items.length; at += 2)',
      'assistant: The loop goes up by two.',
      'user: Now add a test',
      'assistant: tool=>Created test/cart.test.ts',
      'assistant: Done ✅',
    ]);
    const later = JSON.parse(await readFile(fixture('small.chat'), 'utf8')) as {
      chat: { content: string }[];
      metadata: object;
    };
    const before = { ...later, executionId: 'before', chat: later.chat.slice(0, 6) };
    // What the editor says around a prompt is another each time.
    before.chat[2] = {
      ...before.chat[2],
      content: `${whole.counts.firstPrompt}\n<EnvironmentContext>x`,
    };
    Object.assign(before.chat[2], { role: 'human' });
    before.metadata = { ...later.metadata, startTime: 1768206601000 };
    await writeFile(join(workspace, `${'a'.repeat(32)}.chat`), JSON.stringify(before));
    const both = await onlyThread();
    assert.deepEqual(show(both), show(whole));
    assert.deepEqual(both.counts, { ...whole.counts, firstAt: 1768206601000 });
  });

  test('arguments of a call that stands in an answer are told apart', async () => {
    const { turns } = await onlyThread();
    const calls = turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'toolCall' ? [[part.name, part.input]] : [])),
    );
    assert.deepEqual(calls, [
      ['readFile', { path: 'src/cart.ts' }],
      ['tool', {}],
    ]);
  });

  test('are found by their folder alone, whose name nobody else has', async () => {
    assert.deepEqual((await find('/w/other')).threads, []);
    assert.deepEqual((await find('/w/app/inner')).threads, []);
  });

  test('logs of newer versions are told by their number, not passed over', async () => {
    const log = join(workspace, 'c'.repeat(32), 'd'.repeat(32));
    await mkdir(dirname(log), { recursive: true });
    await writeFile(log, '{"executionId":"e","actions":[]}');
    const { problems } = await find(folder);
    assert.match(problems[0]?.message ?? '', /^1 log of an execution is not read/);
    assert.deepEqual((await find('/w/other')).problems, []);
  });
});
