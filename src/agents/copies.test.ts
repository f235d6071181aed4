import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { line, request, state } from '../../test/agents/chatRecords.js';
import type { Cursor } from '../core/model/records.js';
import { createClaudeCode } from './claude-code/source.js';
import { createCline } from './cline/source.js';
import { readThread } from './copies.js';
import { foldFile } from './foldFile.js';
import { createGeminiCli } from './gemini-cli/source.js';
import { mergeRecords } from './mergeRecords.js';
import type { Source, SourceQuery } from './source.js';
import { vscodeChat } from './vscode-chat/source.js';

const folder = '/home/user/project';

suite('merging what two files hold of one conversation', () => {
  /** Records are `<id><time>:<text>`; lists are told apart by spaces. */
  const merges = (title: string, one: string, other: string, expected: string) =>
    test(title, () => {
      const listOf = (text: string) =>
        text
          .split(' ')
          .filter(Boolean)
          .map((word) => {
            const [, id, ts, more = ''] = /^([a-z])(\d*)(.*)$/.exec(word) ?? [];
            const fields = { id, ...(ts && { ts: Number(ts) }), ...(more && { more }) };
            return Buffer.from(JSON.stringify(fields));
          });
      const merged = mergeRecords([listOf(one), listOf(other)], { idOf: ({ id }) => String(id) });
      const shown = merged.map((record) => {
        const { id, more = '' } = JSON.parse(Buffer.from(record).toString()) as {
          readonly id: string;
          readonly more?: string;
        };
        return id + more;
      });
      assert.equal(shown.join(' '), expected);
    });
  merges('the same twice is there once', 'a b c', 'a b c', 'a b c');
  merges('a shorter copy adds nothing', 'a b c', 'a b', 'a b c');
  merges('what only one has keeps its place', 'a c', 'a b c', 'a b c');
  merges('what only the end of one has comes last', 'a b', 'a b c d', 'a b c d');
  merges('what went on in both comes in the order of time', 'a1 b5 c6', 'a1 x2 y3', 'a x y b c');
  merges('and the other way round', 'a1 b2 c3', 'a1 x5 y6', 'a b c x y');
  merges('of two versions the fuller one counts', 'a b', 'a b:more', 'a b:more');
  merges('an emptier version takes nothing away', 'a b:more', 'a b', 'a b:more');
  merges('nothing in common: the earlier comes first', 'c5 d6', 'a1 b2', 'a b c d');
  merges('an empty copy', 'a b', '', 'a b');

  test('any two copies: everything is there, nothing twice, and the first keeps its order', () => {
    const copy = fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 12 });
    const bytes = (ids: readonly number[]) => ids.map((id) => Buffer.from(`{"id":${id}}`));
    const check = (one: readonly number[], other: readonly number[]): void => {
      const merged = mergeRecords([bytes(one), bytes(other)]).map(
        (record) => (JSON.parse(Buffer.from(record).toString()) as { readonly id: number }).id,
      );
      assert.deepEqual([...merged].sort(), [...new Set([...one, ...other])].sort());
      assert.deepEqual(
        merged.filter((id) => one.includes(id)),
        one,
      );
    };
    fc.assert(fc.property(copy, copy, check));
  });
});

suite('conversations in two files', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'copies-'));
  });
  teardown(() => rm(home, { recursive: true }));

  const put = async (name: string, text: string): Promise<string> => {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const query = (more: Partial<SourceQuery> = {}): SourceQuery => ({
    folders: [folder],
    homes: [],
    env: {},
    userHome: home,
    ...more,
  });
  const only = async (source: Source, more: Partial<SourceQuery> = {}) => {
    const { threads, problems } = await source.find(query(more));
    assert.deepEqual(problems, []);
    assert.equal(threads.length, 1);
    return threads[0] ?? assert.fail('not found');
  };
  const words = async (source: Source, more: Partial<SourceQuery> = {}) => {
    const thread = (await foldFile(source, await only(source, more))).thread();
    return thread.turns.map(({ parts }) =>
      parts.map((part) => ('text' in part ? part.text : part.kind)).join('|'),
    );
  };

  const id = '11111111-2222-4333-8444-555555555555';
  const claude = (uuid: string, parentUuid: string | null, second: number) =>
    JSON.stringify({
      type: 'user',
      uuid,
      parentUuid,
      sessionId: id,
      cwd: folder,
      timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString(),
      message: { role: 'user', content: uuid },
    });
  const claudeFile = (in_: string, ...lines: readonly string[]) =>
    put(`${in_}/projects/-home-user-project/${id}.jsonl`, `${lines.join('\n')}\n`);
  const homes = () => ({ homes: [join(home, 'other')] });

  test('of two homes: a session that went on in the copy is whole', async () => {
    await claudeFile('.claude', claude('a', null, 1), claude('b', 'a', 2));
    await claudeFile('other', claude('a', null, 1), claude('b', 'a', 2), claude('c', 'b', 3));
    assert.deepEqual(await words(createClaudeCode(), homes()), ['a', 'b', 'c']);
  });

  test('read on as either grows, each record comes once', async () => {
    const source = createClaudeCode();
    const kept: string[] = [];
    let cursor: Cursor | undefined;
    const readOn = async () => {
      const found = await only(source, homes());
      for (let more = true; more;) {
        const read = await readThread(source, found, cursor);
        if (read.restarted) kept.length = read.restarted.reused;
        kept.push(
          ...read.records.map(
            (record) => (JSON.parse(Buffer.from(record).toString()) as { uuid: string }).uuid,
          ),
        );
        ({ cursor, more } = read);
      }
      assert.equal(cursor?.records, kept.length);
      return kept.join(' ');
    };
    const [a, b, c, d] = [
      claude('a', null, 1),
      claude('b', 'a', 2),
      claude('c', 'b', 3),
      claude('d', 'c', 4),
    ];
    await claudeFile('.claude', a, b);
    assert.equal(await readOn(), 'a b');
    const other = await claudeFile('other', a, b, c);
    assert.equal(await readOn(), 'a b c');
    assert.equal(await readOn(), 'a b c');
    await claudeFile('.claude', a, b, c, d);
    assert.equal(await readOn(), 'a b c d');
    await rm(other);
    assert.equal(await readOn(), 'a b c d');
    await claudeFile('.claude', a, b, c, d, claude('e', 'd', 5));
    assert.equal(await readOn(), 'a b c d e');
  });

  test('a session of Gemini CLI that was resumed from its old form is one', async () => {
    const message = (text: string) => ({
      id: text,
      type: 'user',
      content: [{ text }],
      timestamp: 't',
    });
    const about = { sessionId: id, projectHash: 'x' };
    const chats = '.gemini/tmp/project/chats/session-2026-01-05T09-00-11111111';
    await put('.gemini/tmp/project/.project_root', folder);
    await put(
      `${chats}.json`,
      JSON.stringify({ ...about, messages: ['a', 'b', 'lost'].map(message) }),
    );
    await put(
      `${chats}.jsonl`,
      `${[about, ...['a', 'b', 'c'].map(message)].map((one) => JSON.stringify(one)).join('\n')}\n`,
    );
    assert.deepEqual((await words(createGeminiCli())).sort(), ['a', 'b', 'c', 'lost']);
  });

  const storage = (name: string) => `.config/Code/User/workspaceStorage/${name}`;
  const chat = async (in_: string, form: 'json' | 'jsonl', ...requests: readonly number[]) => {
    await put(`${storage(in_)}/workspace.json`, JSON.stringify({ folder: `file://${folder}` }));
    const whole = state(requests.map((number) => request(number)));
    const text = form === 'json' ? JSON.stringify(whole) : `${line({ kind: 0, v: whole })}\n`;
    await put(`${storage(in_)}/chatSessions/chat.${form}`, text);
  };
  const prompts = async () => {
    const parser = await foldFile(vscodeChat, await only(vscodeChat));
    return parser.thread().counts.userTurns;
  };
  test('a chat of VS Code in both forms, and one in two storages, is the union', async () => {
    await chat('1', 'json', 1, 2, 3);
    await chat('1', 'jsonl', 1, 2, 4);
    assert.equal(await prompts(), 4);
    await chat('1-1', 'jsonl', 1, 5);
    assert.equal(await prompts(), 5);
  });

  const cline = async (shown: readonly object[], model: readonly object[]) => {
    await put('.cline/data/tasks/1/api_conversation_history.json', JSON.stringify(model));
    await put('.cline/data/tasks/1/ui_messages.json', JSON.stringify(shown));
    return (await foldFile(createCline(), await only(createCline()))).thread();
  };
  const place = `# Current Working Directory (${folder}) Files\na`;
  const model = [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<task>\none\n</task>' },
        { type: 'text', text: place },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ];
  const shown = [
    { ts: 1768206600000, type: 'say', say: 'task', text: 'one' },
    {
      ts: 1768206601000,
      type: 'say',
      say: 'api_req_started',
      text: '{"tokensIn":10,"tokensOut":5}',
    },
    { ts: 1768206602000, type: 'say', say: 'text', text: 'done' },
  ];
  test('the two logs of a task of Cline: what was said once is shown once, with times and costs', async () => {
    const { turns, counts } = await cline(shown, model);
    assert.deepEqual(
      turns.map(({ role }) => role),
      ['user', 'assistant'],
    );
    assert.deepEqual(
      [counts.userTurns, counts.assistantMessages, counts.toolCalls, counts.tokens],
      [1, 1, 0, { input: 10, output: 5 }],
    );
    assert.deepEqual([counts.firstAt, counts.lastAt], [1768206600000, 1768206602000]);
  });

  test('what only the log that was shown has is there, too', async () => {
    const more = [
      { ts: 1768206603000, type: 'say', say: 'user_feedback', text: 'two' },
      { ts: 1768206604000, type: 'say', say: 'text', text: 'done again' },
    ];
    const { turns } = await cline([...shown, ...more], model);
    assert.deepEqual(
      turns.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join()),
      ['one', 'done', 'two', 'done again'],
    );
  });
});
