import { rowRecord } from '../../src/agents/sqlite/rowRecord.js';
import * as chat from './chatRecords.js';
import { writing as claude } from './claudeRecords.js';
import { writing as codex } from './codexRecords.js';
import * as gemini from './geminiRecords.js';
import { OpenCodeWriter } from './openCodeRows.js';
import { callBlock, writing as pi } from './piRecords.js';
import { linkedSamples } from './linkedSamples.js';
import { callPart, writing as qwen } from './qwenRecords.js';

/** Records of a conversation that was gone on with from some point more than once, or that looks so. */
export interface BranchSample {
  readonly agent: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** Each branch: its prompt and how many it alone has, then all that is said in it; the active one begins with `*`. */
  readonly branches: readonly string[];
  /** What is said where no branch is asked for. */
  readonly active: string;
}

const openCode = (write: (to: OpenCodeWriter) => unknown): readonly string[] => {
  const writer = new OpenCodeWriter();
  write(writer);
  return writer.rows.map(({ table, row }) => {
    const { present } = row;
    if (table === 'present') return `{"present":${String(present)}}`;
    return rowRecord(table, String(row['id']), row).record;
  });
};
/** Rows that are left. */
const left = (to: OpenCodeWriter, upTo: number): void => {
  const keys = to.rows.slice(0, upTo).map(({ table, row }) => `${table} ${String(row['id'])}`);
  to.put('present', { present: JSON.stringify(keys) });
};
const requests = (...indexes: readonly number[]) => indexes.map((index) => chat.request(index));
const push = (...items: readonly unknown[]) => ({ kind: 2, k: ['requests'], v: items });
const chatLines = (...edits: readonly unknown[]) => edits.map((edit) => chat.line(edit));
const crush = (id: string, at: number, role: string, text: string) => {
  const parts = JSON.stringify([{ type: 'text', data: { text } }]);
  return rowRecord('messages', id, { id, role, parts, created_at: at }).record;
};

const samples: readonly BranchSample[] = [
  {
    agent: 'claude-code',
    title: 'a prompt that was edited, and what it was before',
    lines: claude((to) => {
      to.user('one');
      const answer = to.say('m1', 'ok');
      to.user('two');
      to.say('m2', 'no');
      to.user('three', { parentUuid: answer });
      to.say('m3', 'yes');
    }),
    branches: ['two 1: one ok two no', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
  {
    agent: 'claude-code',
    title: 'a rewind that the agent has gone back from: what it says is current is',
    lines: claude((to) => {
      to.user('one');
      const answer = to.say('m1', 'ok');
      to.user('two');
      const leaf = to.say('m2', 'no');
      to.user('three', { parentUuid: answer });
      to.say('m3', 'yes');
      to.loose({ type: 'last-prompt', leafUuid: leaf, lastPrompt: 'two' });
    }),
    branches: ['*one 2: one ok two no', 'three 1: one ok three yes'],
    active: 'one ok two no',
  },
  {
    agent: 'claude-code',
    title: 'an edited first prompt, and an edit of an edit',
    lines: claude((to) => {
      to.user('a');
      to.user('b', { parentUuid: null });
      const answer = to.say('m1', 'x');
      to.user('c');
      to.user('d', { parentUuid: answer });
      to.user('e', { parentUuid: answer });
    }),
    branches: ['a 1: a', 'c 1: b x c', 'd 1: b x d', '*b 2: b x e'],
    active: 'b x e',
  },
  {
    agent: 'claude-code',
    title: 'parallel calls, their results, hooks and progress: one branch',
    lines: claude((to) => {
      to.user('one');
      const first = to.call('m1', 't1');
      const second = to.call('m1', 't2');
      to.result('t1', 'ok', { parentUuid: first });
      to.add('progress', { parentUuid: second, data: { type: 'hook_progress' } });
      const result = to.result('t2', 'ok', { parentUuid: second });
      to.add('attachment', { attachment: { type: 'todo_reminder' } });
      to.say('m2', 'done', { parentUuid: result });
    }),
    branches: [],
    active: 'one done',
  },
  {
    agent: 'claude-code',
    title: 'an answer that was asked for again',
    lines: claude((to) => {
      const prompt = to.user('one');
      to.say('m1', 'no');
      to.say('m2', 'yes', { parentUuid: prompt });
    }),
    branches: ['undefined 0: one no', '*one 1: one yes'],
    active: 'one yes',
  },
  {
    agent: 'claude-code',
    title: 'a compaction is no branch, and one before it keeps its beginning',
    lines: claude((to) => {
      to.user('one');
      const answer = to.say('m1', 'ok');
      to.user('two');
      const last = to.say('m2', 'no');
      to.add('system', {
        subtype: 'compact_boundary',
        parentUuid: null,
        logicalParentUuid: last,
      });
      to.user('summary', { isCompactSummary: true });
      to.user('three');
      to.user('four', { parentUuid: answer });
    }),
    branches: ['two 2: one ok two no three', '*one 2: one ok four'],
    active: 'one ok four',
  },
  {
    agent: 'pi',
    title: 'the tree that Pi keeps',
    lines: pi((to) => {
      to.header();
      to.user('one');
      const answer = to.say('ok');
      to.user('two');
      to.answer([callBlock('c')]);
      to.result('c');
      to.user('three', { parentId: answer });
      to.say('yes');
    }),
    branches: ['two 1: one ok two', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
  {
    agent: 'qwen-code',
    title: 'a rewind',
    lines: qwen((to) => {
      to.user('one');
      const answer = to.answer([{ text: 'ok' }, callPart('c')]);
      to.result('c');
      to.user('two');
      to.user('three', { parentUuid: answer });
      to.answer([{ text: 'yes' }]);
    }),
    branches: ['two 1: one ok two', '*one 2: one ok three yes'],
    active: 'one ok three yes',
  },
  {
    agent: 'codex',
    title: 'turns that were rolled back',
    lines: codex((to) => {
      to.meta();
      to.prompt('one');
      to.say('ok');
      to.prompt('two');
      to.say('no');
      to.event('thread_rolled_back', { num_turns: 1 });
      to.prompt('three');
      to.say('never');
      to.event('thread_rolled_back', { num_turns: 2 });
      to.prompt('four');
    }),
    branches: ['two 1: one ok two no', 'one 2: one ok three never', '*four 1: four'],
    active: 'four',
  },
  {
    agent: 'codex',
    title: 'turns that were rolled back one by one: one branch',
    lines: codex((to) => {
      to.meta();
      for (const word of ['one', 'two', 'three']) {
        to.prompt(word);
        to.say('ok');
      }
      to.event('thread_rolled_back', { num_turns: 1 });
      to.event('thread_rolled_back', { num_turns: 1 });
      to.prompt('four');
    }),
    branches: ['two 2: one ok two ok three ok', '*one 2: one ok four'],
    active: 'one ok four',
  },
  {
    agent: 'gemini-cli',
    title: 'messages that were rewound',
    lines: gemini.linesOf(
      gemini.metadata(),
      gemini.user('1', 'one'),
      gemini.gemini('2', 'ok'),
      gemini.user('3', 'two'),
      gemini.gemini('4', 'no'),
      { $rewindTo: '3' },
      gemini.user('5', 'three'),
    ),
    branches: ['two 1: one ok two no', '*one 2: one ok three'],
    active: 'one ok three',
  },
  {
    agent: 'gemini-cli',
    title: 'a rewind to nowhere, which takes everything',
    lines: gemini.linesOf(
      gemini.metadata(),
      gemini.user('1', 'one'),
      { $rewindTo: 'gone' },
      gemini.user('2', 'two'),
    ),
    branches: ['one 1: one', '*two 1: two'],
    active: 'two',
  },
  {
    agent: 'gemini-cli',
    title: 'a compression is no branch',
    lines: gemini.linesOf(
      gemini.metadata(),
      gemini.user('1', 'one'),
      gemini.set({ messages: [gemini.user('2', 'two')] }),
    ),
    branches: [],
    active: 'one two',
  },
  {
    agent: 'opencode',
    title: 'an undo',
    lines: openCode((to) => {
      to.user('one').say('ok').user('two');
      const undone = to.lastMessage;
      to.say('no').setSession({ revert: JSON.stringify({ messageID: undone }) });
    }),
    branches: ['two 1: one ok two no', '*one 1: one ok'],
    active: 'one ok',
  },
  {
    agent: 'opencode',
    title: 'what a prompt after an undo deleted',
    lines: openCode((to) => {
      to.user('one').say('ok');
      const kept = to.rows.length;
      to.user('two').say('no').user('three');
      left(to, kept);
    }),
    branches: ['two 2: one ok two no three', '*one 1: one ok'],
    active: 'one ok',
  },
  {
    agent: 'crush',
    title: 'rows that others replaced',
    lines: [
      crush('a', 1, 'user', 'one'),
      crush('b', 2, 'assistant', 'ok'),
      crush('c', 3, 'user', 'two'),
      crush('d', 4, 'assistant', 'no'),
      crush('e', 5, 'user', 'three'),
      JSON.stringify({ present: ['messages a', 'messages b', 'messages e'] }),
    ],
    branches: ['two 1: one ok two no', '*one 2: one ok three'],
    active: 'one ok three',
  },
  {
    agent: 'vscode-chat',
    title: 'a request that was edited',
    lines: chatLines(
      { kind: 0, v: chat.state(requests(1, 2, 3)) },
      { kind: 2, k: ['requests'], i: 1, v: requests(4) },
    ),
    branches: [
      'prompt 2 2: prompt 1 answer 1 prompt 2 answer 2 prompt 3 answer 3',
      '*prompt 1 2: prompt 1 answer 1 prompt 4 answer 4',
    ],
    active: 'prompt 1 answer 1 prompt 4 answer 4',
  },
  {
    agent: 'vscode-chat',
    title: 'requests that were undone, before and after another was sent',
    lines: chatLines(
      { kind: 0, v: chat.state(requests(1)) },
      push(...requests(2)),
      { kind: 1, k: ['requests', 1, 'shouldBeRemovedOnSend'], v: { requestId: 'request_2' } },
      { kind: 1, k: ['requests'], v: requests(1, 3) },
      { kind: 1, k: ['requests', 1, 'shouldBeRemovedOnSend'], v: { requestId: 'request_3' } },
    ),
    branches: [
      'prompt 2 1: prompt 1 answer 1 prompt 2 answer 2',
      'prompt 3 1: prompt 1 answer 1 prompt 3 answer 3',
      '*prompt 1 1: prompt 1 answer 1',
    ],
    active: 'prompt 1 answer 1',
  },
  {
    agent: 'vscode-chat',
    title: 'a log that was written anew takes nothing away',
    lines: chatLines(
      { kind: 0, v: chat.state(requests(1, 2)) },
      { kind: 0, v: chat.state(requests(1, 2)) },
    ),
    branches: [],
    active: 'prompt 1 answer 1 prompt 2 answer 2',
  },
];

/** Kilo Code keeps its sessions as OpenCode does. */
const asKilo = samples
  .filter(({ agent }) => agent === 'opencode')
  .map((sample) => ({ ...sample, agent: 'kilo-code' }));

export const branchSamples: readonly BranchSample[] = [...samples, ...linkedSamples, ...asKilo];
