import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { treeHash } from '../../../test/agents/treeHash.js';
import { inspectFile } from '../inspect.js';

const fixtures = fileURLToPath(new URL('../../../test/fixtures', import.meta.url));

suite('databases that the real programs wrote', () => {
  const isCounted = (file: string, id: string | undefined, expected: object) =>
    test(`${file}${id === undefined ? '' : `, ${id}`}: every number is right, and the files are as before`, async () => {
      const before = await treeHash(fixtures);
      const inspection = await inspectFile(join(fixtures, file), undefined, id);
      assert.deepEqual(inspection, {
        cwd: '/home/user/project',
        toolResultsOrphan: 0,
        models: ['m1'],
        malformed: 0,
        skipped: [],
        ...expected,
      });
      assert.equal(await treeHash(fixtures), before);
    });
  isCounted('opencode/opencode-1.18.33-work.db', undefined, {
    agent: 'opencode',
    tokens: { input: 50, output: 25 },
    sessionId: 'ses_dd515810effebhpOa9r2l7i0ni',
    userTurns: 2,
    assistantMessages: 5,
    toolCalls: 3,
    toolResultsMatched: 3,
    thinkingBlocks: 1,
    firstPrompt: '"first prompt"',
    firstAt: '2026-11-30T05:25:40.721Z',
    lastAt: '2026-11-30T05:26:10.989Z',
    conversations: 2,
  });
  isCounted('opencode/opencode-1.18.33-work.db', 'ses_dd51556e3ffeFblTPgEdZDZkKU', {
    agent: 'opencode',
    tokens: { input: 10, output: 5 },
    sessionId: 'ses_dd51556e3ffeFblTPgEdZDZkKU',
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 0,
    toolResultsMatched: 0,
    thinkingBlocks: 0,
    firstPrompt: 'Look at files',
    firstAt: '2026-11-30T05:25:51.517Z',
    lastAt: '2026-11-30T05:25:51.769Z',
    conversations: 2,
  });
  isCounted('kilo-code/kilo-7.7.9-hello.db', undefined, {
    agent: 'kilo-code',
    tokens: { input: 10, output: 5 },
    sessionId: 'ses_dd51425dfffeFZpOiTDkFS2q7w',
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 0,
    toolResultsMatched: 0,
    thinkingBlocks: 0,
    firstPrompt: '"hello from kilo"',
    firstAt: '2026-11-30T05:27:09.601Z',
    lastAt: '2026-11-30T05:27:16.785Z',
    conversations: 1,
  });

  test('the newest answer is in the log: without it one would be missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nolog-'));
    try {
      const path = join(folder, 'copy.db');
      await copyFile(join(fixtures, 'opencode/opencode-1.18.33-work.db'), path);
      assert.equal((await inspectFile(path)).assistantMessages, 4);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
