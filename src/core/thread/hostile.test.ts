import assert from 'node:assert/strict';
import { hostileTexts } from '../../../test/agents/hostileTexts.js';
import type { Part, Thread, Turn } from '../model/thread.js';
import { renderThread } from './render.js';

const before: Turn = { id: 'u', role: 'user', parts: [{ kind: 'text', text: 'before' }] };
const after: Turn = { id: 'v', role: 'user', parts: [{ kind: 'text', text: 'after' }] };

const thread = (turns: readonly Turn[], more: Partial<Thread> = {}): Thread => ({
  agent: 'claude-code',
  nativeId: 'n',
  turns,
  todos: [],
  skipped: [],
  counts: {
    userTurns: 2,
    assistantMessages: 1,
    toolCalls: 0,
    toolResultsMatched: 0,
    toolResultsOrphan: 0,
    thinkingBlocks: 0,
    models: [],
    malformed: 0,
  },
  ...more,
});

const said = (role: Turn['role'], ...parts: readonly Part[]): Thread =>
  thread([before, { id: 'x', role, parts }, after]);
const call = (name: string, input: unknown, text = 'ok'): Thread =>
  said('assistant', {
    kind: 'toolCall',
    id: 't',
    name,
    input,
    result: { text, isError: false },
  });
const answer = (text: string): Thread => said('assistant', { kind: 'text', text });

/** Everywhere that text of a transcript comes to stand. */
const places: Readonly<Record<string, (text: string) => Thread>> = {
  prompt: (text) => said('user', { kind: 'text', text }),
  answer,
  thinking: (text) => said('assistant', { kind: 'thinking', text }),
  'tool’s name': (text) => call(text, {}),
  'command line': (text) => call('Bash', { command: text }),
  'name of a file': (text) => call('Read', { file_path: text }),
  'change of a file': (text) => call('Edit', { file_path: 'a', old_string: text, new_string: 'b' }),
  'written file': (text) => call('Write', { file_path: `a.${text}`, content: text }),
  patch: (text) => call('apply_patch', `*** Update File: ${text}\n+${text}`),
  'list of todos': (text) => call('TodoWrite', { todos: [{ content: text }] }),
  'task of a subagent': (text) => call('Task', { prompt: text, description: text }),
  question: (text) => call('AskUserQuestion', { questions: [{ question: text }] }),
  'argument of a tool': (text) => call('other', { [text]: text, list: [text] }),
  result: (text) => call('Bash', { command: 'ls' }, text),
  'name of an image': (text) =>
    said('user', { kind: 'image', mediaType: text, bytes: 3, name: text }),
  attachment: (text) => said('user', { kind: 'attachment', name: text, uri: text }),
  'summary of earlier turns': (text) =>
    said('system', { kind: 'notice', notice: 'compaction', text }),
  error: (text) => said('system', { kind: 'notice', notice: 'error', text }),
  news: (text) => said('system', { kind: 'notice', notice: 'info', text }),
  title: (text) => ({ ...answer('x'), title: text }),
  'thread’s folder, branch and todos': (text) => ({
    ...answer('x'),
    cwd: text,
    branch: text,
    todos: [{ text, state: 'open' }],
  }),
  model: (text) => thread([before, { id: 'x', role: 'assistant', model: text, parts: [] }, after]),
};

/** Headings of the first two levels and whether a block of code is open at the end, as CommonMark has it. */
function outlineOf(text: string): {
  readonly headings: readonly string[];
  readonly isOpen: boolean;
} {
  const headings: string[] = [];
  let fence: string | undefined;
  let last = '';
  for (const line of text.split('\n')) {
    const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && info.trim() === '') fence = undefined;
    } else if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) fence = mark;
    else if (/^ {0,3}#{1,2}(?:\s|$)/.test(line)) headings.push(line);
    else if (last.trim() !== '' && /^ {0,3}(?:=+|-+)\s*$/.test(line)) headings.push(last);
    last = line;
  }
  return { headings, isOpen: fence !== undefined };
}

// eslint-disable-next-line no-control-regex -- to find control characters is the purpose
const unseen = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u{e0000}-\u{e007f}\p{Cs}]/u;
/** A link that is more than one of the web, outside of code. */
const livingLink = /(?:\]\(\s*<?|\]:\s*<?|<|href\s*=\s*["']?)(?:command|vscode|javascript|data):/i;

suite('hostile text stays text', () => {
  for (const [kind, text] of Object.entries(hostileTexts)) {
    test(`${kind}, wherever it stands`, () => {
      for (const [place, make] of Object.entries(places)) {
        const { text: shown, turns } = renderThread(make(text), { timeZone: 'UTC' });
        const where = `${kind} as ${place}`;
        const { headings, isOpen } = outlineOf(shown);
        const expected = place.includes('todos') && place.startsWith('thread') ? 5 : 4;
        assert.equal(headings.length, expected, `${where}: ${headings.join(' | ').slice(0, 300)}`);
        assert.match(headings.at(-1) ?? '', /^## \d · You/, where);
        assert.equal(isOpen, false, where);
        assert.doesNotMatch(shown, unseen, where);
        assert.equal(turns.length, 3, where);
        for (const { start } of turns) assert.match(shown.split('\n')[start] ?? '', /^## /, where);
      }
    });
  }

  test('links to commands are no links where code does not hold them', () => {
    for (const text of Object.values(hostileTexts)) {
      const { text: shown } = renderThread(answer(text));
      const outside = shown.replace(/^(`{3,})[^]*?^\1$/gm, '');
      assert.doesNotMatch(outside, livingLink);
    }
  });

  test('there are at least sixty kinds', () => {
    assert.ok(Object.keys(hostileTexts).length >= 60);
  });
});
