import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { splitState } from '../agents/splitState.js';
import { ChatParser } from '../agents/vscode-chat/parser.js';
import { sourceOf } from '../agents/registry.js';
import type { Thread, Turn } from '../core/model/thread.js';
import { planChat } from './chatContinuation.js';

const turn = (role: Turn['role'], ...parts: Turn['parts']): Turn => ({
  id: role,
  role,
  at: 1000,
  parts,
});
const text = (value: string) => ({ kind: 'text', text: value }) as const;
const picture = { kind: 'image', mediaType: 'image/png', bytes: 3, data: 'AAAA' } as const;

const work: Thread = {
  agent: 'codex',
  nativeId: 'x',
  title: 'Mend it',
  turns: [
    turn('user', text('看 this 👀'), picture),
    turn(
      'assistant',
      text('I look.'),
      {
        kind: 'toolCall',
        id: 'call_1',
        name: 'exec_command',
        input: { cmd: 'ls' },
        result: { text: 'a.ts', isError: false },
      },
      {
        kind: 'toolCall',
        id: 'call_2',
        name: 'exec_command',
        input: { cmd: 'exit 3' },
        result: { text: 'Error: no', isError: true },
      },
    ),
    turn('assistant', text('Done.')),
    turn('user', text('Thanks')),
  ],
  todos: [],
  counts: {} as Thread['counts'],
  skipped: [],
};

const read = (chat: string): Thread => {
  const parser = new ChatParser('', { images: true });
  for (const record of splitState(Buffer.from(chat), 'requests')) parser.push(record);
  return parser.thread();
};

const shown = ({ turns }: Thread): readonly string[] =>
  turns.flatMap(({ role, parts }) =>
    parts.map((part) => {
      if (part.kind === 'text') return `${role}: ${part.text.trim()}`;
      if (part.kind === 'image') return `${role}: picture ${part.data ?? ''}`;
      if (part.kind !== 'toolCall') return part.kind;
      const { name, input, result } = part;
      const failed = result?.isError === true ? ' failed' : '';
      return `${name} ${JSON.stringify(input)} => ${result?.text ?? ''}${failed}`;
    }),
  );

suite('a conversation for the chat of VS Code', () => {
  test('keeps prompts, pictures, answers, calls and results, in order', () => {
    const { chat, report } = planChat({ thread: work }, {});
    assert.deepEqual(shown(read(chat)), [
      'user: 看 this 👀',
      'user: picture AAAA',
      'assistant: I look.',
      'run_in_terminal {"command":"ls"} => a.ts',
      'run_in_terminal {"command":"exit 3"} => Error: no failed',
      'assistant: Done.',
      'user: Thanks',
    ]);
    assert.deepEqual(
      report.lines.filter(({ fate }) => fate === 'dropped'),
      [],
    );
  });

  test('where words alone are taken, calls are told in the answers, and the report says so', () => {
    const { chat, report } = planChat({ thread: work }, { wordsOnly: true });
    const said = shown(read(chat)).join('\n');
    assert.match(
      said,
      /Called the tool exec_command with \{"cmd":"exit 3"\}\. It failed:\)\n```\nError: no\n```/,
    );
    const calls = report.lines.filter(({ why }) => why === 'callInWords');
    assert.deepEqual(
      calls.map(({ fate, count }) => [fate, count]),
      [['rewritten', 2]],
    );
  });

  test('a chat that VS Code has thrown away comes back as it was', async () => {
    const log = await readFile('test/fixtures/vscode-chat/vscode-1.139.1.jsonl');
    const records = log
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Buffer.from(line));
    const parser = sourceOf('vscode-chat')?.parser('chat-1') ?? assert.fail();
    for (const record of records) parser.push(record);
    const thread = parser.thread();
    const { chat } = planChat({ thread, records }, {});
    assert.deepEqual(read(chat).turns, thread.turns);
  });
});
