import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { createWindsurf } from './source.js';

const id = '2f4e6d8c-1b3a-4c5d-9e7f-0a1b2c3d4e5f';

const step = (type: string, body: object) => JSON.stringify({ [type]: body, status: 'done', type });

const lines = (cwd: string) => [
  step('user_input', { rules_applied: {}, user_response: 'one 你好' }),
  step('planner_response', { response: 'looking' }),
  step('view_file', { path: `${cwd}/src/a.ts`, content: 'x' }),
  step('planner_response', { response: 'done' }),
  step('user_input', { user_response: 'two' }),
  step('planner_response', { response: 'done again' }),
];

sourceConforms('Windsurf', {
  create: createWindsurf,
  id,
  path: () => `.windsurf/transcripts/${id}.jsonl`,
  lines,
  noCallIds: true,
  noRecordIds: true,
});

suite('what Windsurf keeps', () => {
  fixtureHolds('windsurf', 'small.jsonl', {
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: null,
    toolResultsMatched: null,
    toolResultsOrphan: null,
    thinkingBlocks: 0,
    firstPrompt: 'create a hello world file 你好',
    firstAt: null,
    malformed: 0,
  });
  fixtureHolds('windsurf', 'damaged.jsonl', { userTurns: 1, assistantMessages: 1, malformed: 2 });

  test('conversations that it encrypts are told, not passed over', async () => {
    const userHome = await mkdtemp(join(tmpdir(), 'windsurf-'));
    const store = join(userHome, '.codeium', 'windsurf', 'cascade');
    await mkdir(store, { recursive: true });
    await writeFile(join(store, `${id}.pb`), 'opaque');
    const query = { folders: ['/home/user/project'], homes: [], env: {}, userHome };
    const { threads, problems } = await createWindsurf().find(query);
    assert.deepEqual(threads, []);
    assert.equal(problems[0]?.where, store);
    assert.match(problems[0].message, /^1 conversation is encrypted .* not supported/);
    await rm(userHome, { recursive: true });
  });
});
