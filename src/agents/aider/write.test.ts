import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Part, Thread, Turn } from '../../core/model/thread.js';
import { convertThread } from '../convert.js';
import { readBack, readNew } from '../readBack.js';
import { writeNew } from '../writeNew.js';
import { createAider } from './source.js';
import { aiderTarget } from './write.js';

/**
 * What Aider makes of a history when it restores one, by the rules of its `split_chat_history_markdown` (0.86): lines are
 * Python's; those that begin with `# ` are passed over; a run of lines that begin with `> ` is a tool's and left out, of
 * `#### ` a person's, of anything else an answer; what is blank is nothing.
 */
function restored(history: string): readonly string[] {
  const runs: { role: string; text: string }[] = [];
  for (const line of history.split(/(?<=\r\n|\r(?!\n)|[\n\v\f\u0085\u2028\u2029])/)) {
    if (line.startsWith('# ')) continue;
    const mark = /^(?:> |#### )/.exec(line)?.[0] ?? '';
    const role = mark === '> ' ? 'tool' : mark === '' ? 'assistant' : 'user';
    const last = runs.at(-1);
    const text = line.slice(mark.length);
    if (last?.role === role) last.text += text;
    else runs.push({ role, text });
  }
  return runs
    .filter(({ role, text }) => role !== 'tool' && text.trim() !== '')
    .map(({ role, text }) => `${role}: ${text.replace(/ {2}$/gm, '').trim()}`);
}

const text = (value: string): Part => ({ kind: 'text', text: value });
const turn = (role: Turn['role'], ...parts: readonly Part[]): Turn => ({
  id: 't',
  role,
  at: Date.UTC(2026, 0, 5, 9),
  parts,
});
const threadOf = (...turns: readonly Turn[]): Thread => ({
  agent: 'claude-code',
  nativeId: 'x',
  turns,
  todos: [],
  counts: {} as Thread['counts'],
  skipped: [],
});

suite('a conversation goes on in Aider', () => {
  let folder: string;
  setup(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'aider-write-')));
  });
  teardown(() => rm(folder, { recursive: true }));

  const convert = (thread: Thread, records?: readonly Uint8Array[]) =>
    convertThread({ thread, records }, aiderTarget, { cwd: folder, env: {}, userHome: folder });
  const historyOf = async (thread: Thread): Promise<string> => {
    const { files } = await convert(thread);
    return Buffer.from(files[0]?.bytes ?? []).toString('utf8');
  };

  test('prompts, answers, calls and results come back in order, whatever marks their lines look like', async () => {
    const call = (name: string, result: string, isError = false): Part => ({
      kind: 'toolCall',
      id: name,
      name,
      input: { command: name },
      result: { text: result, isError },
    });
    const history = await historyOf(
      threadOf(
        turn('user', text('# not a header\n> not a tool\n\n#### 购物车 👀\u2028one line more')),
        turn(
          'assistant',
          text('# A heading\n> quoted\n#### small\n► **THINKING**'),
          call('ls', 'a.ts'),
        ),
        turn('assistant', call('exit 3', '> Applied edit\n```', true), text('So it is.')),
        turn('user', text('/add it')),
        turn('user', text('and more')),
      ),
    );
    assert.deepEqual(restored(history), [
      'user: # not a header\n> not a tool\n\n#### 购物车 👀\none line more',
      [
        'assistant: # A heading\n > quoted\n #### small\n ► **THINKING**',
        '(Called the tool ls with {"command":"ls"}. It answered:)\n```\na.ts\n```',
        '(Called the tool exit 3 with {"command":"exit 3"}. It failed:)\n````\n > Applied edit\n```\n````',
        'So it is.',
      ].join('\n\n'),
      'user: /add it',
      'user: and more',
    ]);
  });

  test('any text comes back', async () => {
    const line = fc.constantFrom('# ', '> ', '#### ', '', ' ', '► ', '<think>', 'a', '购', '```');
    const end = fc.constantFrom('\n', '\r\n', '\r', '\v', '\u0085', '\u2028', '\n\n');
    const anything = fc
      .array(fc.tuple(line, fc.constantFrom('x', '# y', '', '👀'), end), { minLength: 1 })
      .map((lines) => `w${lines.flat().join('')}`);
    await fc.assert(
      fc.asyncProperty(anything, anything, async (prompt, answer) => {
        const history = await historyOf(
          threadOf(turn('user', text(prompt)), turn('assistant', text(answer))),
        );
        const bare = (said: string): string => said.replace(/[\s\u0085]+/g, '');
        const [asked = '', answered = '', ...more] = restored(history);
        assert.deepEqual(more, []);
        assert.equal(bare(asked), bare(`user: ${prompt}`));
        assert.equal(bare(answered), bare(`assistant: ${answer}`));
      }),
    );
  });

  test('is a file of its own beside the person’s history, read back as one conversation, in which it goes on', async () => {
    const own = join(folder, '.aider.chat.history.md');
    await writeFile(own, '# aider chat started at 2026-01-05 09:00:00\n\n#### mine  \n\nYes.\n');
    const converted = await convert(
      threadOf(turn('user', text('hi')), turn('assistant', text('# ho'))),
    );
    await writeNew(join(folder, 'store'), converted, 'claude-code:x');
    await readBack(createAider(), converted);
    assert.match(
      await readFile(own, 'utf8'),
      /^# aider chat started at [^\n]*\n\n#### mine {2}\n\nYes\.\n$/,
    );
    const [file] = converted.files;
    const path = file?.path ?? '';
    assert.ok(path.startsWith(join(folder, '.aider.chat.history.')));
    assert.deepEqual(converted.command.slice(0, 4), [
      'aider',
      '--chat-history-file',
      path.slice(folder.length + 1),
      '--restore-chat-history',
    ]);
    // What Aider itself adds when it goes on.
    const more =
      '\n# aider chat started at 2026-01-06 09:00:00\n\n> Aider v0.86\n\n#### again  \n\nOf course.\n\n';
    await writeFile(path, (await readFile(path, 'utf8')) + more);
    const thread = (await readNew(createAider(), converted)) ?? assert.fail();
    const said = thread.turns.flatMap(({ role, parts }) =>
      role === 'system'
        ? []
        : parts.flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : [])),
    );
    assert.deepEqual(said, ['hi', '# ho', 'again', 'Of course.']);
  });

  test('its own session goes on with its own words, byte for byte', async () => {
    const history = await readFile('test/fixtures/aider/small.md');
    await writeFile(join(folder, '.aider.chat.history.md'), history);
    const source = createAider();
    const { threads } = await source.find({
      folders: [folder],
      homes: [],
      env: {},
      userHome: folder,
    });
    const [found] = threads;
    assert.ok(found);
    const { records } = await source.read(found, undefined);
    const parser = source.parser(found.nativeId);
    for (const record of records) parser.push(record);
    const { files } = await convert(parser.thread(), records);
    const bytes = Buffer.from(files[0]?.bytes ?? []);
    assert.ok(bytes.length > 100 && history.includes(bytes));
  });
});
