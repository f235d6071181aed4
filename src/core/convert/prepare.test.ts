import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Part, Turn } from '../model/thread.js';
import type { Convertible, Message, Takes } from './conversation.js';
import { prepare } from './prepare.js';

const takes: Takes = {
  images: true,
  summaries: false,
  callId: /^[A-Za-z0-9_-]{1,64}$/,
  toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
};

const text = (value: string): Part => ({ kind: 'text', text: value });
const call = (id: string, result?: string, name = 'Bash', input: unknown = {}): Part => ({
  kind: 'toolCall',
  id,
  name,
  input,
  result: result === undefined ? undefined : { text: result, isError: false },
});
const thread = (...turns: readonly (readonly [Turn['role'], ...Part[]])[]): Convertible => ({
  agent: 'goose',
  nativeId: 'x',
  title: 'x',
  turns: turns.map(([role, ...parts], index) => ({ id: `t${index}`, role, parts })),
  todos: [],
  counts: {} as Convertible['counts'],
});

/** A conversation in a few words: `user: hi`, `assistant: look Bash(a)=>ok`. */
const shown = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => {
    if (message.role === 'summary') return `summary: ${message.text}`;
    const said = message.content.map((part) => (part.kind === 'text' ? part.text : part.mediaType));
    const calls =
      message.role === 'assistant'
        ? message.calls.map(({ id, name, result }) => `${name}(${id})=>${result.text}`)
        : [];
    return `${message.role}: ${[...said, ...calls].join(' ')}`;
  });

suite('a conversation as interfaces take it', () => {
  const becomes = (
    title: string,
    given: Convertible,
    expected: readonly string[],
    options: Parameters<typeof prepare>[3] = {},
    other: Partial<Takes> = {},
  ) =>
    test(title, () => {
      const { conversation } = prepare(given, 'codex', { ...takes, ...other }, options);
      assert.deepEqual(shown(conversation.messages), expected);
    });

  becomes(
    'what is said after a call is said once it was answered',
    thread(['user', text('hi')], ['assistant', text('look'), call('a', 'one'), text('so')]),
    ['user: hi', 'assistant: look Bash(a)=>one', 'assistant: so'],
  );
  test('a result that the agent itself will cut is said to be cut, and written whole', () => {
    const given = thread(
      ['user', text('hi')],
      ['assistant', call('a', 'x'.repeat(20)), call('b', 'y')],
    );
    const { conversation, report } = prepare(given, 'codex', { ...takes, longestResult: 19 });
    const cut = report.lines.filter(({ why }) => why === 'cutByAgent');
    assert.deepEqual(
      cut.map(({ fate, what, count }) => [fate, what, count]),
      [['rewritten', 'result', 1]],
    );
    assert.ok(shown(conversation.messages).join().includes('x'.repeat(20)));
  });

  becomes(
    'parallel calls stay at once',
    thread(['user', text('hi')], ['assistant', call('a', '1'), call('b', '2')]),
    ['user: hi', 'assistant: Bash(a)=>1 Bash(b)=>2'],
  );
  becomes(
    'a call that nobody answered is answered by what happened',
    thread(['user', text('hi')], ['assistant', call('a')]),
    ['user: hi', 'assistant: Bash(a)=>The tool did not answer: it was interrupted.'],
  );
  becomes(
    'that a tool failed is said in words where there is no other way',
    thread(
      ['user', text('hi')],
      [
        'assistant',
        { kind: 'toolCall', id: 'a', name: 'x', input: {}, result: { text: 'no', isError: true } },
        {
          kind: 'toolCall',
          id: 'b',
          name: 'x',
          input: {},
          result: { text: 'Exit code 3', isError: true },
        },
      ],
    ),
    ['user: hi', 'assistant: x(a)=>The tool failed.\nno x(b)=>Exit code 3'],
    {},
    { failures: false },
  );
  becomes(
    'an id that was used before, or that the vendor refuses, is another one',
    thread(['user', text('hi')], ['assistant', call('a', '1'), call('a', '2'), call('a b', '3')]),
    ['user: hi', 'assistant: Bash(a)=>1 Bash(call_000002)=>2 Bash(call_000003)=>3'],
  );
  becomes(
    'a name that the vendor refuses is written as it can be',
    thread(['user', text('hi')], ['assistant', call('a', '1', 'mcp.server/tool')]),
    ['user: hi', 'assistant: mcp_server_tool(a)=>1'],
  );
  becomes(
    'answers after each other are one, prompts stay apart',
    thread(
      ['user', text('one')],
      ['user', text('two')],
      ['assistant', text('a')],
      ['assistant', text('b')],
    ),
    ['user: one', 'user: two', 'assistant: a b'],
  );
  becomes('empty texts are no texts', thread(['user', text('hi')], ['assistant', text(' \n')]), [
    'user: hi',
  ]);
  becomes(
    'a conversation that begins with an answer gets a beginning',
    thread(['assistant', text('hello')]),
    ['user: (The beginning of this conversation is not here.)', 'assistant: hello'],
  );
  becomes(
    'thinking is left out',
    thread(['user', text('hi')], ['assistant', { kind: 'thinking', text: 'secret' }, text('a')]),
    ['user: hi', 'assistant: a'],
  );
  becomes(
    'thinking is quoted when that is asked for',
    thread(['user', text('hi')], ['assistant', { kind: 'thinking', text: 'one\ntwo' }, text('a')]),
    ['user: hi', 'assistant: > (Thought at the time:)\n> one\n> two a'],
    { foldThinking: true },
  );
  const compacted = thread(
    ['user', text('hi')],
    ['system', { kind: 'notice', notice: 'compaction', text: 'What happened.' }],
    ['user', text('on')],
  );
  becomes(
    'a summary is one of the target’s own',
    compacted,
    ['user: hi', 'summary: What happened.', 'user: on'],
    {},
    { summaries: true },
  );
  becomes('a summary is a marked prompt where it has none', compacted, [
    'user: hi',
    'user: (Summary of the conversation up to here, made by the agent:)\n\nWhat happened.',
    'user: on',
  ]);
  becomes(
    'an image goes along where it is taken and at hand, else a line names it',
    thread([
      'user',
      { kind: 'image', mediaType: 'image/png', bytes: 3, data: 'AAAA' },
      { kind: 'image', mediaType: 'image/png', bytes: 3, name: 'lost.png' },
    ]),
    ['user: image/png [Image: lost.png, 3 bytes]'],
  );
  becomes(
    'it goes on from an earlier turn',
    thread(['user', text('one')], ['assistant', text('a')], ['user', text('two')]),
    ['user: one', 'assistant: a'],
    { turns: 2 },
  );
  becomes('half a character is none', thread(['user', text('a\ud800b')]), ['user: a\ufffdb']);

  test('whatever an agent kept, the rules of every vendor hold', () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.record({ kind: fc.constant('thinking' as const), text: fc.string() }),
      fc
        .tuple(fc.string(), fc.option(fc.string(), { nil: undefined }), fc.string(), fc.jsonValue())
        .map(([id, result, name, input]) => call(id, result, name, input)),
      fc.record({
        kind: fc.constant('notice' as const),
        notice: fc.constantFrom('compaction', 'shell', 'info'),
        text: fc.string(),
      }),
    ) as fc.Arbitrary<Part>;
    const role = fc.constantFrom<Turn['role'][]>('user', 'assistant', 'system');
    const turns = fc.array(fc.tuple(role, fc.array(part, { maxLength: 6 })), { maxLength: 12 });
    fc.assert(
      fc.property(turns, fc.boolean(), (given, foldThinking) => {
        const whole = thread(...given.map(([who, parts]) => [who, ...parts] as const));
        const { conversation, report } = prepare(whole, 'codex', takes, { foldThinking });
        const { messages } = conversation;
        assert.notEqual(messages[0]?.role, 'assistant');
        const ids = new Set<string>();
        for (const [at, message] of messages.entries()) {
          if (message.role === 'summary') continue;
          for (const said of message.content) {
            assert.ok(said.kind !== 'text' || said.text.trim() !== '');
            assert.ok(said.kind !== 'text' || !/\p{Surrogate}/u.test(said.text));
          }
          if (message.role !== 'assistant') continue;
          assert.ok(message.content.length + message.calls.length > 0);
          const before = messages[at - 1];
          assert.ok(before?.role !== 'assistant' || before.calls.length > 0);
          for (const { id, name, input } of message.calls) {
            assert.match(id, takes.callId);
            assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
            assert.ok(!Array.isArray(input) && !ids.has(id));
            ids.add(id);
          }
        }
        const calls = whole.turns
          .filter((turn) => turn.role === 'assistant')
          .flatMap(({ parts }) => parts)
          .filter(({ kind }) => kind === 'toolCall');
        assert.equal(ids.size, calls.length);
        assert.ok(report.lines.every(({ count }) => count > 0));
      }),
    );
  });

  test('the account says what was kept, mapped, rewritten and dropped, and why', () => {
    const given = thread(
      ['user', text('hi')],
      [
        'assistant',
        { kind: 'thinking', text: 'x' },
        call('a', '1', 'shell', { command: 'ls' }),
        call('b', undefined, 'odd'),
      ],
    );
    const { report } = prepare(given, 'claude-code', takes);
    const lines = report.lines.map(({ fate, count, what, why = '', detail = '' }) =>
      [fate, count, what, why, detail].join(' ').trim(),
    );
    assert.deepEqual(lines, [
      'kept 1 prompt',
      'kept 1 result',
      'kept 1 toolCall ownName odd',
      'kept 1 answer',
      'mapped 1 toolCall toolMapped shell → Bash',
      'rewritten 1 result unanswered odd',
      'dropped 1 thinking thinkingIsTheVendors',
    ]);
  });

  test('a list of todos that the target cannot be given is told by its entries', () => {
    const given = {
      ...thread(['user', text('one')], ['assistant', text('a')], ['user', text('two')]),
      todos: [
        { text: 'x', state: 'open' },
        { text: 'y', state: 'done' },
      ] as const,
    };
    const told = (other: Partial<Takes>, turns?: number) =>
      prepare(given, 'other', { ...takes, ...other }, { turns }).report.lines.filter(
        ({ what }) => what === 'todo',
      );
    const line = { fate: 'dropped', what: 'todo', why: 'todosInCalls', count: 2 };
    assert.deepEqual(told({ todoList: false }), [line]);
    assert.deepEqual(told({}), []);
    // Before the end the list was another one, which nobody knows.
    assert.deepEqual(told({ todoList: false }, 2), []);
  });
});
