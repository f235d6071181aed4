import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { foldFile } from '../foldFile.js';
import { inspectFile } from '../inspect.js';
import { sourceConforms } from '../conformance.js';
import { createKiro } from './source.js';

const id = '6a1f8b63-7b1f-4c9f-8b75-1a2b3c4d5e6f';
const store = '.config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions';

const item = (message: object, more: object = {}) => ({ message, contextItems: [], ...more });

const lines = (rest: object) =>
  [
    item({ role: 'user', content: [{ type: 'text', text: 'one 你好' }] }),
    item(
      {
        role: 'assistant',
        content: 'looking',
        toolCalls: [{ id: 'c1', function: { name: 'readFile', arguments: '{}' } }],
      },
      { toolCallStates: [{ toolCallId: 'c1', status: 'done', output: [] }] },
    ),
    item({ role: 'user', content: 'two' }),
    item({ role: 'assistant', content: 'done' }),
    rest,
  ].map((record) => JSON.stringify(record));

/** What holds for every source but that a file of the editor's alone is not known as Kiro's. */
const createKnown = () => ({ ...createKiro(), recognises: () => true });

sourceConforms('Kiro', {
  create: createKnown,
  id,
  path: (cwd) => `${store}/${Buffer.from(cwd).toString('base64')}/${id}.json`,
  beside: (cwd) => ({ [`${store}/${Buffer.from(cwd).toString('base64')}/sessions.json`]: '[]' }),
  lines: (cwd) => lines({ sessionId: id, title: 'One', workspaceDirectory: cwd }),
  whole: { list: 'history' },
  noRecordIds: true,
});

sourceConforms('Kiro, where only its folder is called by the working folder', {
  create: createKnown,
  id,
  path: (cwd) => `${store}/${Buffer.from(cwd).toString('base64').replace(/=/g, '_')}/${id}.json`,
  lines: () => lines({ sessionId: id, title: 'One' }),
  whole: { list: 'history' },
  noRecordIds: true,
});

const kind = (name: string, messageId: string, ...content: readonly object[]) => ({
  version: 'v1',
  kind: name,
  data: { message_id: messageId, content },
});
const said = (data: string) => ({ kind: 'text', data });

sourceConforms('Kiro’s command line', {
  create: createKiro,
  id,
  path: () => `.kiro/sessions/cli/${id}.jsonl`,
  beside: (cwd) => ({
    [`.kiro/sessions/cli/${id}.json`]: JSON.stringify({ session_id: id, cwd, title: 'One' }),
  }),
  lines: () =>
    [
      kind('Prompt', 'p1', said('one 你好')),
      kind('AssistantMessage', 'a1', said('looking'), {
        kind: 'toolUse',
        data: { toolUseId: 'c1', name: 'read', input: {} },
      }),
      kind('ToolResults', 'r1', {
        kind: 'toolResult',
        data: { toolUseId: 'c1', content: [said('text')], status: 'success' },
      }),
      kind('AssistantMessage', 'a2', said('done')),
      kind('Prompt', 'p2', said('two')),
      kind('AssistantMessage', 'a3', said('done again')),
    ].map((record) => JSON.stringify(record)),
});

const payload = (type: string, more: object) => ({
  timestamp: '2026-01-12T08:30:01.000Z',
  payload: { type, ...more },
});

sourceConforms('Kiro’s newer engine', {
  create: createKiro,
  id,
  path: () => `.kiro/sessions/app-1/sess_${id}/messages.jsonl`,
  beside: (cwd) => ({
    [`.kiro/sessions/app-1/sess_${id}/session.json`]: JSON.stringify({ id, workspacePaths: [cwd] }),
  }),
  lines: () =>
    [
      payload('user', { content: 'one 你好' }),
      payload('assistant', { operationType: 'Say', content: 'looking' }),
      payload('tool_call', { toolCallId: 'c1', toolName: 'readFile', args: {} }),
      payload('tool_result', { toolCallId: 'c1', content: 'text', success: true }),
      payload('user', { content: 'two' }),
      payload('assistant', { operationType: 'Say', content: [{ type: 'text', text: 'done' }] }),
    ].map((record) => JSON.stringify(record)),
  noRecordIds: true,
});

const cart = {
  userTurns: 2,
  toolCalls: 2,
  toolResultsMatched: 2,
  toolResultsOrphan: 0,
  firstPrompt: 'Why does the cart total come out wrong? 购物车',
  malformed: 0,
};

suite('what sessions of Kiro’s command line hold', () => {
  fixtureHolds('kiro', 'cli-v2.jsonl', { ...cart, assistantMessages: 3, thinkingBlocks: 1 });
  fixtureHolds('kiro', 'cli-v3.jsonl', { ...cart, assistantMessages: 2, thinkingBlocks: 1 });
  fixtureHolds('kiro', 'cli-v1.db', {
    ...cart,
    assistantMessages: 3,
    thinkingBlocks: 0,
    cwd: '/w/app',
    models: ['claude-sonnet-4.5'],
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:21.000Z',
    conversations: 2,
  });

  test('one that the table of before has alone is found, by its folder', async () => {
    const home = await mkdtemp(join(tmpdir(), 'kiro-'));
    try {
      const path = join(home, '.local/share/kiro-cli/data.sqlite3');
      await mkdir(dirname(path), { recursive: true });
      const fixture = new URL('../../../test/fixtures/kiro/cli-v1.db', import.meta.url).pathname;
      await copyFile(fixture, path);
      const source = createKiro();
      const query = { homes: [], env: {}, userHome: home };
      const { threads } = await source.find({ ...query, folders: ['/w/older'] });
      assert.deepEqual(
        threads.map(({ nativeId, cwd }) => [nativeId, cwd]),
        [['/w/older', '/w/older']],
      );
      const [found] = threads;
      const thread = found && (await foldFile(source, found)).thread();
      assert.deepEqual([thread?.counts.userTurns, thread?.turns.length], [1, 2]);
      assert.equal((await inspectFile(path, 'kiro', '/w/older')).firstPrompt, 'of before');
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
