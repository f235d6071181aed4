import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { ClaudeWriter, folder, sessionId } from '../../test/agents/claudeRecords.js';
import { inspectFile, type Inspection } from './inspect.js';

const fixture = (name: string) =>
  new URL(`../../test/fixtures/claude-code/${name}`, import.meta.url).pathname;

const shop = {
  agent: 'claude-code',
  sessionId: '2b7e4c1a-93d5-4f60-8a2e-6c1d9b0f5e37',
  cwd: '/home/user/shop',
  models: ['claude-opus-4-5-20251101'],
  malformed: 0,
  skipped: [],
};

suite('inspecting a transcript', () => {
  const holds = (name: string, expected: Inspection) =>
    test(name, async () => {
      assert.deepEqual(await inspectFile(fixture(name)), expected);
      assert.deepEqual(await inspectFile(fixture(name), 'claude-code'), expected);
    });

  holds('small.jsonl', {
    ...shop,
    tokens: { input: 12, output: 4 },
    userTurns: 2,
    assistantMessages: 4,
    toolCalls: 3,
    toolResultsMatched: 3,
    toolResultsOrphan: 0,
    thinkingBlocks: 2,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['claude-opus-4-5-20251101', 'claude-haiku-4-5-20251001'],
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:18.000Z',
  });

  holds('drift.jsonl', {
    ...shop,
    tokens: { input: 15, output: 5 },
    userTurns: 4,
    assistantMessages: 5,
    toolCalls: 2,
    toolResultsMatched: 2,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt of an old version',
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T09:00:00.000Z',
  });

  holds('damaged.jsonl', {
    ...shop,
    tokens: { input: 9, output: 3 },
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 0,
    thinkingBlocks: 0,
    firstPrompt: 'first prompt',
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:09.000Z',
    malformed: 7,
    // Offsets from `grep -ab`.
    skipped: [
      { line: 1, offset: 0, reason: 'notJson' },
      { line: 5, offset: 1366, reason: 'nulBytes' },
      { line: 8, offset: 2391, reason: 'notJson' },
      { line: 9, offset: 3135, reason: 'notAnObject' },
      { line: 10, offset: 3153, reason: 'notAnObject' },
      { line: 11, offset: 3158, reason: 'nulBytes' },
      { line: 15, offset: 5156, reason: 'incomplete' },
    ],
  });

  for (const version of ['2.1.197', '2.1.332']) {
    test(`what Claude Code ${version} wrote, by the script that it played`, async () => {
      const counted = await inspectFile(fixture(`claude-${version}-work.jsonl`));
      const { sessionId: id, models, firstAt, lastAt, ...rest } = counted;
      assert.deepEqual(rest, {
        agent: 'claude-code',
        cwd: '/home/user/work',
        userTurns: 2,
        assistantMessages: 6,
        toolCalls: 7,
        toolResultsMatched: 7,
        toolResultsOrphan: 0,
        thinkingBlocks: 1,
        tokens: { input: 60, output: 30 },
        firstPrompt: 'Do the first thing: 写一个文件',
        malformed: 0,
        skipped: [],
      });
      assert.match(id ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(models.length, 1);
      assert.ok(firstAt !== null && lastAt !== null && firstAt < lastAt);
    });
  }

  suite('of any damage', () => {
    let dir: string;
    setup(async () => {
      dir = await mkdtemp(join(tmpdir(), 'inspect-'));
    });
    teardown(() => rm(dir, { recursive: true }));
    const inspect = async (bytes: string | Buffer, name = `${sessionId}.jsonl`) => {
      await writeFile(join(dir, name), bytes);
      return inspectFile(join(dir, name));
    };

    test('cut at any byte of its end, every line before is counted and the rest is told', async () => {
      const whole = await readFile(fixture('small.jsonl'));
      for (let size = whole.length - 2048; size < whole.length; size++) {
        const cut = whole.subarray(0, size);
        const before = cut.lastIndexOf('\n') + 1;
        const rest = cut.subarray(before).toString();
        const { malformed, skipped, userTurns } = await inspect(cut);
        const finished = rest === '' || isJson(rest);
        const line = cut.subarray(0, before).toString().split('\n').length;
        assert.deepEqual(
          { malformed, skipped },
          finished
            ? { malformed: 0, skipped: [] }
            : { malformed: 1, skipped: [{ line, offset: before, reason: 'incomplete' }] },
        );
        // The second prompt is line 18.
        const whole18 = line > 18 || (line === 18 && rest !== '' && finished);
        assert.equal(userTurns, whole18 ? 2 : 1);
      }
    });

    test('one bad line of 7,000 costs that line', async () => {
      const writer = new ClaudeWriter();
      for (let at = 0; at < 3500; at++) {
        writer.user(`prompt ${at}`);
        writer.say(`m${at}`, `answer ${at}`);
      }
      const lines = [...writer.lines];
      lines[4000] = lines[4000]?.slice(0, -20) ?? '';
      const { userTurns, assistantMessages, skipped } = await inspect(`${lines.join('\n')}\n`);
      assert.deepEqual([userTurns, assistantMessages], [3499, 3500]);
      assert.deepEqual(
        skipped.map(({ line }) => line),
        [4001],
      );
    });

    test('runs of NULs in the middle are told with their place', async () => {
      const writer = new ClaudeWriter();
      writer.user('one');
      const head = writer.text;
      writer.user('two');
      for (const length of [1, 200, 700, 70_000]) {
        const text = `${head}${'\0'.repeat(length)}\n${writer.lines[1] ?? ''}\n`;
        const { userTurns, skipped } = await inspect(text);
        assert.equal(userTurns, 2);
        assert.deepEqual(skipped, [
          { line: 2, offset: Buffer.byteLength(head), reason: 'nulBytes' },
        ]);
      }
    });

    test('line ends of Windows and a byte order mark change no number', async () => {
      const text = (await readFile(fixture('damaged.jsonl'))).toString('latin1');
      const odd = Buffer.from(`\xEF\xBB\xBF${text.replaceAll('\n', '\r\n')}`, 'latin1');
      const lines = ({ skipped, ...counts }: Inspection) => ({
        ...counts,
        skipped: skipped.map(({ line, reason }) => `${line} ${reason}`),
      });
      assert.deepEqual(
        lines(await inspect(odd, 'copy.jsonl')),
        lines(await inspectFile(fixture('damaged.jsonl'))),
      );
    });

    test('an empty file named by its agent holds nothing, and says so', async () => {
      await writeFile(join(dir, `${sessionId}.jsonl`), '');
      assert.deepEqual(await inspectFile(join(dir, `${sessionId}.jsonl`), 'claude-code'), {
        agent: 'claude-code',
        sessionId,
        cwd: null,
        userTurns: 0,
        assistantMessages: 0,
        toolCalls: 0,
        toolResultsMatched: 0,
        toolResultsOrphan: 0,
        thinkingBlocks: 0,
        firstPrompt: null,
        models: [],
        tokens: null,
        firstAt: null,
        lastAt: null,
        malformed: 0,
        skipped: [],
      });
    });

    test('a session is called by its file, a copy by what its records say', async () => {
      const writer = new ClaudeWriter();
      writer.user('go');
      const other = '11111111-1111-4111-8111-111111111111';
      assert.equal((await inspect(writer.text, `${other}.jsonl`)).sessionId, other);
      assert.equal((await inspect(writer.text, 'copy.jsonl')).sessionId, sessionId);
      assert.equal((await inspect(writer.text, 'copy.jsonl')).cwd, folder);
    });

    const fails = (title: string, run: (dir: string) => Promise<unknown>, reason: string) =>
      test(title, async () => {
        await assert.rejects(run(dir), (error) => isExpected(error, reason));
      });
    fails(
      'a missing file is said to be missing',
      (at) => inspectFile(join(at, 'none.jsonl')),
      'unreadable',
    );
    fails('a folder without one is no transcript', (at) => inspectFile(at), 'unknownFormat');
    fails(
      'an agent that nobody knows is said to be unknown',
      () => inspectFile(fixture('small.jsonl'), 'x'),
      'unknownAgent',
    );
    fails(
      'a file of no agent is not counted as zero',
      async (at) => {
        await writeFile(join(at, 'a.txt'), 'hello\n');
        return inspectFile(join(at, 'a.txt'));
      },
      'unknownFormat',
    );

    test('a large transcript is counted in pieces', async () => {
      const writer = new ClaudeWriter();
      const text = 'x'.repeat(4000);
      for (let at = 0; at < 3000; at++) {
        writer.user(`${at} ${text}`);
        writer.call(`m${at}`, `t${at}`, 'Bash', { command: text });
        writer.result(`t${at}`, text);
      }
      assert.ok(writer.text.length > 4 * 8 * 1024 * 1024);
      const counted = await inspect(writer.text);
      assert.deepEqual(
        [
          counted.userTurns,
          counted.assistantMessages,
          counted.toolCalls,
          counted.toolResultsMatched,
        ],
        [3000, 3000, 3000, 3000],
      );
    });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
