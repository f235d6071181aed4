import assert from 'node:assert/strict';
import {
  appendFile,
  copyFile,
  mkdtemp,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import type { FoundThread } from '../source.js';
import { blocksOf } from './history.js';
import { createAider } from './source.js';

const fixture = (name: string): string =>
  new URL(`../../../test/fixtures/aider/${name}`, import.meta.url).pathname;

const noCalls = { toolCalls: null, toolResultsMatched: null, toolResultsOrphan: null };
const local = (...at: [number, number, number, number, number, number]): string =>
  new Date(...at).toISOString();

suite('what histories of Aider hold', () => {
  fixtureHolds('aider', 'small.md', {
    ...noCalls,
    sessionId: null,
    userTurns: 4,
    assistantMessages: 3,
    thinkingBlocks: 1,
    firstPrompt: '/add src/cart.ts',
    models: ['anthropic/claude-sonnet-4-20250514', 'gpt-4o'],
    firstAt: local(2026, 0, 12, 8, 30, 1),
    lastAt: local(2026, 0, 13, 10, 0, 0),
    malformed: 0,
  });

  fixtureHolds('aider', 'drift.md', {
    ...noCalls,
    userTurns: 3,
    assistantMessages: 3,
    thinkingBlocks: 1,
    firstPrompt: 'what was asked before the file was cut',
    models: [],
    malformed: 0,
  });

  fixtureHolds('aider', 'damaged.md', { ...noCalls, userTurns: 1, assistantMessages: 1 });
});

suite('sessions in a history of Aider', () => {
  let folder: string;
  let path: string;
  const find = async (source = createAider(), env = {}) =>
    source.find({ folders: [folder], homes: [], env, userHome: '/nowhere' });
  const thread = async (found: FoundThread | undefined) => {
    const source = createAider();
    assert.ok(found);
    const parser = source.parser(found.nativeId);
    for (const record of (await source.read(found, undefined)).records) parser.push(record);
    return parser.thread();
  };

  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aider-'));
    path = join(folder, '.aider.chat.history.md');
    await copyFile(fixture('small.md'), path);
  });
  teardown(() => rm(folder, { recursive: true }));

  test('each is a thread of its own, in the folder where it worked', async () => {
    const { threads, filesLookedAt, problems } = await find();
    assert.deepEqual([filesLookedAt, problems], [1, []]);
    assert.deepEqual(
      threads.map(({ nativeId, cwd }) => [nativeId, cwd]),
      [
        ['2026-01-12T08-30-01', folder],
        ['2026-01-13T10-00-00', folder],
      ],
    );
    const [first, second] = await Promise.all(threads.map(thread));
    assert.deepEqual(
      [first?.title, first?.counts.userTurns, second?.title, second?.counts.userTurns],
      [
        'Why does the cart total come out wrong? 购物车 It is half of what it should be.',
        3,
        'hello',
        1,
      ],
    );
  });

  test('prompts, thoughts, answers and what aider did are told apart', async () => {
    const { turns } = await thread((await find()).threads[0]);
    const shown = turns.map(({ role, parts }) => {
      return [role, ...parts.map((part) => ('text' in part ? part.text.slice(0, 16) : part.kind))];
    });
    assert.deepEqual(shown.slice(1), [
      ['user', '/add src/cart.ts'],
      ['system', 'Added src/cart.t'],
      ['user', 'Why does the car'],
      ['assistant', 'It halves the co'],
      ['system', 'Tokens: 2.3k sen'],
      ['user', 'Now add a test'],
      ['assistant', 'A test is small.', 'Here is the test'],
      ['system', 'Tokens: 2.9k sen'],
    ]);
  });

  test('a session that goes on is read on, and those before it stay as they are', async () => {
    const source = createAider();
    const [, before] = (await find(source)).threads;
    assert.ok(before);
    const first = await source.read(before, undefined);
    await appendFile(path, '\n#### and bye  \n\nBye!\n');
    const [old, now] = (await find(source)).threads;
    assert.ok(old && now);
    const more = await source.read(now, first.cursor);
    assert.deepEqual(more.restarted, { reused: first.records.length - 1 });
    const parser = source.parser(now.nativeId);
    const kept = first.records.slice(0, more.restarted.reused);
    for (const record of [...kept, ...more.records]) parser.push(record);
    assert.deepEqual(parser.thread(), await thread(now));
    assert.deepEqual([parser.thread().counts.userTurns, parser.working], [2, false]);
    const other = await source.read(old, undefined);
    await appendFile(path, '\n#### again  \n');
    assert.deepEqual((await source.read(old, other.cursor)).records, []);
  });

  test('a second look over a file that did not change does not open it', async () => {
    const source = createAider();
    await utimes(path, 1000, 1000);
    const before = await find(source);
    await writeFile(path, Buffer.alloc((await stat(path)).size), { flag: 'r+' });
    await utimes(path, 1000, 1000);
    assert.deepEqual(await find(source), before);
  });

  test('two sessions of one second, and what stands before the first, are all there', async () => {
    await copyFile(fixture('drift.md'), path);
    assert.deepEqual(
      (await find()).threads.map(({ nativeId }) => nativeId),
      ['beginning', '2026-01-12T08-30-01', '2026-01-12T08-30-01-2'],
    );
  });

  test('a file that the variable names is read, if it lies in the folder', async () => {
    await copyFile(fixture('drift.md'), join(folder, 'chat.md'));
    const inside = await find(createAider(), { AIDER_CHAT_HISTORY_FILE: 'chat.md' });
    assert.equal(inside.threads.length, 5);
    const outside = await find(createAider(), { AIDER_CHAT_HISTORY_FILE: '/elsewhere/chat.md' });
    assert.equal(outside.threads.length, 2);
  });

  test('nothing in the folder is touched, and a folder without a history has no threads', async () => {
    const before = await treeHash(folder);
    await thread((await find()).threads[0]);
    assert.equal(await treeHash(folder), before);
    await rm(path);
    assert.deepEqual(await find(), { threads: [], filesLookedAt: 0, problems: [] });
  });

  for (const name of ['small.md', 'drift.md', 'damaged.md']) {
    test(`records of ${name} are all of its bytes but blank lines at its head`, async () => {
      const bytes = await readFile(fixture(name));
      assert.equal(
        Buffer.concat(blocksOf(bytes)).toString('latin1'),
        bytes.toString('latin1').trimStart(),
      );
    });
  }
});
