import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { show } from '../../../test/agents/claudeThreads.js';
import { insert, sourceOn } from '../../../test/agents/sourceOn.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import { inspectFile } from '../inspect.js';
import { createAntigravity } from './source.js';

const folder = '/home/user/project';
const id = '901d1db7-8590-4cb0-a7cb-35fac369d860';

let step = 0;
const line = (source: string, type: string, more = {}) =>
  JSON.stringify({
    step_index: step++,
    source,
    type,
    status: 'DONE',
    created_at: `2026-11-30T04:00:0${step % 10}Z`,
    ...more,
  });

const lines = [
  line('USER_EXPLICIT', 'USER_INPUT', {
    content:
      '<USER_REQUEST>\nDo it: 写\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe time\n</ADDITIONAL_METADATA>\n' +
      '<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Model 3.5 (High). No need.\n</USER_SETTINGS_CHANGE>',
  }),
  line('SYSTEM', 'CONVERSATION_HISTORY'),
  line('MODEL', 'PLANNER_RESPONSE', {
    content: 'Looking',
    thinking: 'Hm.',
    tool_calls: [
      { name: 'list_dir', args: { DirectoryPath: '"/home/user"' } },
      { name: 'run_command', args: { CommandLine: '"exit 3"' } },
    ],
  }),
  line('MODEL', 'LIST_DIRECTORY', { content: 'a.ts' }),
  line('MODEL', 'RUN_COMMAND', { content: 'exit code 3', status: 'ERROR' }),
  line('SYSTEM', 'CHECKPOINT', { content: 'Shortened' }),
  line('SYSTEM', 'SYSTEM_MESSAGE', { content: '<SYSTEM_MESSAGE>not typed</SYSTEM_MESSAGE>' }),
  line('MODEL', 'PLANNER_RESPONSE', { content: 'Done ✅' }),
  line('USER_EXPLICIT', 'USER_INPUT', { content: 'Again' }),
];
const turns = [
  'user: Do it: 写',
  'assistant: [Hm.] Looking list_dir=>a.ts run_command=>exit code 3',
  'system: compaction(Shortened)',
  'assistant: Done ✅',
  'user: Again',
];

suite('Antigravity', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'antigravity-'));
  });
  teardown(() => rm(home, { recursive: true }));
  const on = () => sourceOn(createAntigravity(), home);
  const log = (name: string, product = 'antigravity-cli') =>
    `.gemini/${product}/brain/${id}/.system_generated/logs/${name}.jsonl`;
  const history = (workspace: string) =>
    `${JSON.stringify({ display: 'x', timestamp: 1, workspace, conversationId: id })}\n`;
  const text = `${lines.join('\n')}\n`;

  test('a transcript is read with its results paired by their order, and the store is not touched', async () => {
    const { file, find, thread } = on();
    const path = await file(log('transcript'), text);
    await file('.gemini/antigravity-cli/history.jsonl', history(folder));
    const before = await treeHash(home);
    const { threads, problems } = await find();
    assert.deepEqual([threads.length, problems], [1, []]);
    assert.deepEqual([threads[0]?.nativeId, threads[0]?.cwd], [id, folder]);
    assert.deepEqual(show(await thread(threads[0] ?? assert.fail())), turns);
    const { firstAt, lastAt, ...inspection } = await inspectFile(path);
    assert.ok(firstAt !== null && lastAt !== null && firstAt < lastAt);
    assert.deepEqual(inspection, {
      agent: 'antigravity',
      tokens: null,
      sessionId: null,
      cwd: null,
      userTurns: 2,
      assistantMessages: 2,
      toolCalls: null,
      toolResultsMatched: null,
      toolResultsOrphan: null,
      thinkingBlocks: 1,
      firstPrompt: 'Do it: 写',
      models: ['Model 3.5 (High)'],
      malformed: 0,
      skipped: [],
    });
    assert.equal(await treeHash(home), before);
  });

  test('of two transcripts the full one is read', async () => {
    const { file, find, thread } = on();
    await file(log('transcript'), `${lines[0] ?? ''}\n`);
    await file(log('transcript_full'), text);
    await file('.gemini/antigravity-cli/history.jsonl', history(folder));
    const { threads } = await find();
    assert.deepEqual(show(await thread(threads[0] ?? assert.fail())), turns);
  });

  test('the editor’s conversations name their folder in a blob', async () => {
    const { file, database, find } = on();
    await file(log('transcript', 'antigravity'), text);
    const uri = Buffer.from(`file://${folder}`);
    // The byte behind the string is the next field's tag, and looks like a digit.
    const data = Buffer.concat([Buffer.of(0x0a, uri.length), uri, Buffer.from('2\u0001x')]);
    await database(
      `.gemini/antigravity/conversations/${id}.db`,
      `CREATE TABLE trajectory_metadata_blob (id TEXT, data BLOB); ${insert('trajectory_metadata_blob', { id: 'main', data })}`,
    );
    const { threads, problems } = await find();
    assert.deepEqual([threads.map(({ cwd }) => cwd), problems], [[folder], []]);
    assert.deepEqual((await find(['/home/user/other'])).threads, []);
  });

  test('conversations without a transcript are said to be there', async () => {
    const { file, find } = on();
    await file(`.gemini/antigravity/conversations/${id}.pb`, 'x');
    await file('.gemini/antigravity/conversations/other.db', '');
    const { threads, problems } = await find();
    assert.deepEqual(threads, []);
    assert.match(problems[0]?.message ?? '', /^2 conversations are .* not supported/);
  });
});
