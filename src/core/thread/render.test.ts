import assert from 'node:assert/strict';
import type { ThreadPlace } from '../engine.js';
import type { Part, Thread, ToolCall, Turn } from '../model/thread.js';
import { renderThread } from './render.js';
import { utf8Length } from './text.js';

const at = Date.UTC(2026, 10, 30, 14, 5);
const minute = 60_000;

const user = (text: string, more: Partial<Turn> = {}): Turn => ({
  id: text,
  role: 'user',
  at,
  parts: [{ kind: 'text', text }],
  ...more,
});

const answer = (parts: readonly Part[], more: Partial<Turn> = {}): Turn => ({
  id: 'a',
  role: 'assistant',
  at: at + minute,
  model: 'opus',
  parts,
  ...more,
});

const bash = (more: Partial<ToolCall> = {}): ToolCall => ({
  kind: 'toolCall',
  id: '1',
  name: 'Bash',
  input: { command: 'npm test' },
  result: { text: 'ok', isError: false },
  ...more,
});

const thread = (turns: readonly Turn[], more: Partial<Thread> = {}): Thread => ({
  agent: 'claude-code',
  nativeId: 'n1',
  title: 'Fix the parser',
  turns,
  todos: [],
  skipped: [],
  counts: {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 0,
    toolResultsMatched: 0,
    toolResultsOrphan: 0,
    thinkingBlocks: 0,
    models: ['opus'],
    firstAt: at,
    lastAt: at + minute,
    malformed: 0,
  },
  ...more,
});

const render = (given: Thread, page = 0, pageBytes?: number) =>
  renderThread(given, { page, timeZone: 'UTC', ...(pageBytes === undefined ? {} : { pageBytes }) });

/** The lines that a part becomes, between its turn's heading and the end. */
const linesOf = (part: Part): readonly string[] => {
  const lines = render(thread([answer([part])]))
    .text.trimEnd()
    .split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('## ')) + 2);
};

suite('renderThread', () => {
  test('a thread reads from its title to its last answer', () => {
    const { title, text, folds, page, pages } = render(
      thread([user('Why does it fail?'), answer([{ kind: 'text', text: 'A typo.' }, bash()])], {
        cwd: '/home/ada/parser',
        branch: 'main',
        todos: [
          { text: 'Find it', state: 'done' },
          { text: 'Mend it', state: 'doing' },
          { text: 'Test it', state: 'open' },
        ],
      }),
    );
    assert.equal(
      text,
      [
        '# Fix the parser',
        '',
        '- Agent: Claude Code',
        '- Model: `opus`',
        '- Folder: `/home/ada/parser`',
        '- Branch: `main`',
        '- Time: 2026-11-30 14:05 to 2026-11-30 14:06',
        '- Turns: 1',
        '',
        '## To do',
        '',
        '- [x] Find it',
        '- [ ] Mend it (in progress)',
        '- [ ] Test it',
        '',
        '## 1 · You · 2026-11-30 14:05',
        '',
        '> Why does it fail?',
        '',
        '## Claude Code · opus · 14:06',
        '',
        'A typo.',
        '',
        '**Bash** `npm test`',
        '',
        'Result:',
        '',
        '```',
        'ok',
        '```',
        '',
      ].join('\n'),
    );
    assert.deepEqual(folds, [{ start: 23, end: 29 }]);
    assert.deepEqual({ title, page, pages }, { title: 'Fix the parser', page: 0, pages: 1 });
  });

  const becomes = (title: string, part: Part, expected: readonly string[]) =>
    test(title, () => assert.deepEqual(linesOf(part), expected));

  becomes('a call without an answer says so', bash({ result: undefined }), [
    '**Bash** `npm test` · no result',
  ]);
  test("a file of the conversation's folder is named without its path, and its link finds it", () => {
    const path = '/home/ada/parser/src/a.ts';
    const call = bash({
      name: 'Edit',
      input: { file_path: path, old_string: 'a', new_string: 'b' },
    });
    const { text, links } = render(thread([answer([call])], { cwd: '/home/ada/parser' }));
    assert.match(text, /\*\*Edit\*\* `src\/a\.ts`/);
    const [link] = links;
    assert.ok(link?.to.kind === 'file');
    assert.equal(link.to.path, path);
    assert.equal(text.split('\n')[link.line]?.slice(link.start, link.end), 'src/a.ts');
  });

  becomes('a failed call stands out', bash({ input: {}, result: { text: '', isError: true } }), [
    '**Bash** · failed',
    '',
    'Result: empty',
  ]);
  becomes('a short thought is one line', { kind: 'thinking', text: 'Aha.' }, ['*Thinking* `Aha.`']);
  becomes(
    'a result cannot leave its block',
    bash({ result: { text: '```\n## 9 · You\n````', isError: false } }),
    ['**Bash** `npm test`', '', 'Result:', '', '`````', '```', '## 9 · You', '````', '`````'],
  );
  becomes(
    'a long result says how much is missing',
    bash({ input: 'x', result: { text: 'y'.repeat(16_340), isError: false } }),
    ['**Bash** `x`', '', 'Result:', '', '```', 'y'.repeat(4000), '```', '… 12,340 more characters'],
  );
  becomes(
    'code in arguments keeps its lines',
    bash({ name: 'Edit', input: { file_path: 'a.ts', old: 'a\n\nb', n: 1 } }),
    [
      '**Edit** `a.ts`',
      '',
      '```',
      'file_path: a.ts',
      'old:',
      '  a',
      '',
      '  b',
      'n: 1',
      '```',
      '',
      'Result:',
      '',
      '```',
      'ok',
      '```',
    ],
  );
  becomes(
    'a picture is named with its kind and size',
    { kind: 'image', mediaType: 'image/png', bytes: 12_595, name: 'shot.png' },
    ['Image `shot.png` (image/png, 12.3 KB)'],
  );
  becomes(
    'thinking is there, behind its first words',
    { kind: 'thinking', text: 'First.\nThen.' },
    ['*Thinking* `First. Then.`', '', 'First.', 'Then.'],
  );
  becomes('a compaction is marked', { kind: 'notice', notice: 'compaction', text: 'a\nb' }, [
    '*Earlier turns were summarized here*',
    '',
    'a',
    'b',
  ]);
  becomes('an interruption is marked', { kind: 'notice', notice: 'interrupted', text: '' }, [
    '*Interrupted*',
  ]);
  becomes('an error is told', { kind: 'notice', notice: 'error', text: 'Rate limit.' }, [
    '**Error** Rate limit.',
  ]);

  test('answers in several messages stand under one heading', () => {
    const { text } = render(
      thread([user('a'), answer([bash()]), answer([bash()]), answer([bash()], { model: 'haiku' })]),
    );
    assert.deepEqual(text.match(/^## Claude.*$/gm), [
      '## Claude Code · opus · 14:06',
      '## Claude Code · haiku · 14:06',
    ]);
  });

  test('a hostile title is one inert line', () => {
    const { title, text } = render(thread([], { title: '[x](command:y)\n# a\u202e $(icon)' }));
    assert.equal(title, '[x](command:y) # a $(icon)');
    assert.equal(text.split('\n')[0], '# \\[x](command\\:y) # a $(icon)');
  });

  test('what could not be read is said', () => {
    const skipped = [{ line: 7, offset: 90, reason: 'notJson' as const }];
    assert.match(render(thread([], { skipped })).text, /Could not be read: 1 place \(line 7\)/);
  });

  suite('pages', () => {
    const long = thread(
      Array.from({ length: 40 }, (_, index) => [
        user(`prompt ${index}`),
        answer([{ kind: 'text', text: 'é'.repeat(300) }, bash()]),
      ]).flat(),
    );
    const pageBytes = 6000;
    const all = Array.from({ length: render(long, 0, pageBytes).pages }, (_, page) =>
      render(long, page, pageBytes),
    );

    test('every turn is on exactly one page, in order', () => {
      const prompts = all.flatMap(({ text }) => text.match(/^> prompt \d+$/gm) ?? []);
      assert.deepEqual(
        prompts,
        Array.from({ length: 40 }, (_, index) => `> prompt ${index}`),
      );
    });

    test('no page is much larger than asked, and none ends with a bare heading', () => {
      for (const { text, page, pages } of all) {
        assert.ok(utf8Length(text) < pageBytes + 1000);
        const parts = text.trimEnd().split('\n\n');
        assert.match(parts.at(-1) ?? '', new RegExp(`^Page ${page + 1} of ${pages}`));
        assert.doesNotMatch(parts.at(-2) ?? '', /^## /);
      }
    });

    test('every page names those around it', () => {
      assert.match(all[0]?.text ?? '', /Page 1 of \d+: page 2 follows\./);
      assert.match(all[1]?.text ?? '', /Page 2 of \d+: page 1 is before it, page 3 follows\./);
      assert.match(all.at(-1)?.text ?? '', /Page \d+ of \d+: page \d+ is before it\./);
    });

    test('folds begin at a tool call and end with its block on every page', () => {
      for (const { text, folds } of all) {
        const lines = text.split('\n');
        assert.equal(folds.length, lines.filter((line) => line.startsWith('**Bash**')).length);
        for (const { start, end } of folds) {
          assert.match(lines[start] ?? '', /^\*\*Bash\*\*/);
          assert.equal(lines[end], '```');
          assert.equal(lines[end + 1], '');
        }
      }
    });

    const finds = (title: string, place: ThreadPlace, line: RegExp | undefined): void => {
      test(title, () => {
        const found = renderThread(long, { place, pageBytes });
        const shown = found.line === undefined ? undefined : found.text.split('\n')[found.line];
        if (line === undefined) assert.equal(shown, undefined);
        else assert.match(shown ?? '', line);
      });
    };
    finds(
      'a prompt is found on its page',
      { turnId: 'prompt 33', turn: 66, part: 0 },
      /^> prompt 33$/,
    );
    finds('a call is found on its page', { turnId: 'a', turn: 67, part: 1 }, /^\*\*Bash\*\*/);
    finds(
      'a turn that moved is found by its id',
      { turnId: 'prompt 3', turn: 70, part: 0 },
      /^> prompt 3$/,
    );
    finds('a turn that is gone is nowhere', { turnId: 'gone', turn: 3, part: 0 }, undefined);

    test('a page that does not exist gives the nearest', () => {
      assert.equal(render(long, 99, pageBytes).page, all.length - 1);
      assert.equal(render(long, -1, pageBytes).page, 0);
    });
  });

  test('an empty thread is a document too', () => {
    assert.equal(render(thread([], { title: undefined })).title, 'n1');
  });
});
