import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { noRedactionSettings } from '../core/redact/settings.js';
import { SessionIndex } from '../vault/sessionIndex.js';
import { wasm } from '../vault/testFrames.js';
import { openVault } from '../vault/vault.js';
import { continueKept } from './continueKept.js';
import { requireHoldable } from './continueLimit.js';
import { Store } from './store.js';

const MB = 2 ** 20;
const isTooLarge = (error: unknown): boolean => isExpected(error, 'threadTooLarge');

suite('a conversation that is too long for the memory', () => {
  let root: string;
  setup(async () => {
    root = await mkdtemp(join(tmpdir(), 'keepthread-limit-'));
  });
  teardown(() => rm(root, { recursive: true }));

  test('is said to be so, with its size', () => {
    requireHoldable(512 * MB);
    assert.throws(() => requireHoldable(512 * MB + 1), isTooLarge);
    assert.throws(() => requireHoldable(700 * MB), /700 MB, more than the 512 MB/);
  });

  test('is not read, and one that fits goes on', async () => {
    const { index } = await SessionIndex.open({ file: undefined, wasm });
    const store = new Store([await openVault({ folder: join(root, 'vault') })], index);
    const thread = 'claude-code:00000000-0000-4000-8000-000000000001';
    const record = Buffer.from(
      JSON.stringify({
        ...{ type: 'user', uuid: '00000000-0000-4000-8000-000000000002', parentUuid: null },
        ...{ cwd: root, timestamp: '2026-01-05T09:00:00.000Z' },
        message: { role: 'user', content: 'Go on' },
      }),
    );
    const cursor = { path: 'x', offset: 0, generation: 0, records: 1, state: {} };
    const header = { schemaVersion: 1, thread, generation: 0, first: 0, count: 1, cursor } as const;
    await store.appendRecords([record], header);
    const plan = (largest?: number) =>
      continueKept(
        store,
        thread,
        { agent: 'codex' },
        {
          ...{ root, write: false, redaction: noRedactionSettings },
          ...(largest !== undefined && { largest }),
        },
      );
    await assert.rejects(plan(100), isTooLarge);
    assert.equal((await plan()).agent, 'codex');
    await store.close();
  });
});
