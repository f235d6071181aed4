import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceOf } from '../agents/registry.js';
import { planContinuation } from './continueThread.js';

suite('a conversation that its agent has thrown away', () => {
  let home: string;
  setup(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'keepthread-continue-')));
  });
  teardown(() => rm(home, { recursive: true }));

  /** What would be written for a conversation that says that it is called so. */
  const planned = async (sessionId: string) => {
    const record = Buffer.from(
      JSON.stringify({
        ...{ type: 'user', uuid: '00000000-0000-4000-8000-000000000001', parentUuid: null },
        ...{ sessionId, cwd: home, timestamp: '2026-01-05T09:00:00.000Z' },
        message: { role: 'user', content: 'Go on' },
      }),
    );
    const parser = sourceOf('claude-code')?.parser('') ?? assert.fail();
    parser.push(record);
    const origin = { thread: parser.thread(), records: [record] };
    const mask = () => Promise.resolve(<T>(value: T): T => value);
    return planContinuation(origin, { agent: 'claude-code' }, mask, {}, home);
  };

  test('comes back under its own id', async () => {
    const id = '0b9f3a52-5d0c-4a5e-9d0e-7f3f7f4f8a11';
    assert.equal((await planned(id)).sessionId, id);
  });

  for (const id of [
    '../../../../evil',
    '/etc/evil',
    '..',
    '-rf',
    'a b',
    '$(touch x)',
    'C:\\evil',
    'é',
  ]) {
    test(`gets another id than ${JSON.stringify(id)}, and a place in its agent’s home`, async () => {
      const { sessionId, files, command } = await planned(id);
      assert.notEqual(sessionId, id);
      assert.ok(!command.includes(id));
      for (const { path } of files) assert.ok(path.startsWith(join(home, '.claude', 'projects')));
      assert.equal(files.length, 1);
    });
  }
});
