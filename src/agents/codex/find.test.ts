import assert from 'node:assert/strict';
import { ids, storeHome } from '../../../test/agents/storeHome.js';
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { writing } from '../../../test/agents/codexRecords.js';
import { isExpected } from '../../core/errors.js';
import { inspectFile } from '../inspect.js';
import type { FindResult, FoundThread } from '../source.js';
import { createCodex } from './source.js';

const id = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const nameOf = (at: number) => `rollout-2026-01-05T10-00-00-${id(at)}.jsonl`;
const textOf = (at: number, cwd = '/w/app', more = {}) =>
  `${writing((to) => {
    to.meta({ id: id(at), cwd, ...more });
    to.prompt(`prompt ${at}`);
  }).join('\n')}\n`;

/** A zstd frame of raw blocks, as RFC 8878 lays it out: what a compressor makes of what it cannot shrink. */
function zstd(text: string, blockSize = 1000): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  header.writeUInt32LE(bytes.length, 5);
  const blocks: Buffer[] = [header];
  for (let at = 0; at < bytes.length; at += blockSize) {
    const block = bytes.subarray(at, at + blockSize);
    const last = at + blockSize >= bytes.length ? 1 : 0;
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | last, 0, 3);
    blocks.push(head, block);
  }
  return Buffer.concat(blocks);
}

suite('finding Codex’s threads', () => {
  const { at, put, source, find } = storeHome(createCodex);
  const only = ({ threads }: FindResult): FoundThread =>
    threads.length === 1 ? (threads[0] ?? assert.fail()) : assert.fail(`${threads.length} threads`);

  test('by day, flat as once, archived, and of the first program', async () => {
    await put(`.codex/sessions/2026/01/05/${nameOf(1)}`, textOf(1));
    await put(`.codex/sessions/${nameOf(2)}`, textOf(2));
    await put(`.codex/archived_sessions/${nameOf(3)}`, textOf(3));
    const context = '<environment_context><cwd>/w/app</cwd></environment_context>';
    const item = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: context }],
    };
    const session = { id: id(4), timestamp: '2025-05-01T10:00:00.000Z', instructions: '' };
    await put(
      `.codex/sessions/rollout-2025-05-01-${id(4)}.json`,
      JSON.stringify({ session, items: [item] }),
    );
    await put('.codex/sessions/2026/01/05/notes.jsonl', textOf(5));
    await put('.codex/history.jsonl', textOf(6));
    const found = await find(['/w/app']);
    assert.deepEqual(ids(found), [id(1), id(2), id(3), id(4)]);
    assert.deepEqual([found.filesLookedAt, found.problems], [4, []]);
  });

  test('homes: the usual one, the one in the environment instead of it, and those that are given', async () => {
    await put(`.codex/sessions/2026/01/05/${nameOf(1)}`, textOf(1));
    await put(`other/sessions/2026/01/05/${nameOf(2)}`, textOf(2));
    await put(`third/sessions/2026/01/05/${nameOf(3)}`, textOf(3));
    assert.deepEqual(ids(await find(['/w/app'])), [id(1)]);
    const env = { CODEX_HOME: at('other') };
    assert.deepEqual(ids(await find(['/w/app'], { env })), [id(2)]);
    assert.deepEqual(ids(await find(['/w/app'], { homes: [at('third')] })), [id(1), id(3)]);
  });

  test('a Windows folder, whichever way its drive letter was written', async () => {
    await put(`.codex/sessions/2026/01/05/${nameOf(1)}`, textOf(1, 'c:\\Users\\x\\app\\inner'));
    assert.deepEqual(ids(await find(['C:\\Users\\x\\app'])), [id(1)]);
  });

  test('a subagent has the thread that spawned it as parent', async () => {
    const spawned = { thread_spawn: { parent_thread_id: id(9), depth: 1 } };
    await put(
      `.codex/sessions/2026/01/05/${nameOf(1)}`,
      textOf(1, '/w/app', { source: { subagent: spawned } }),
    );
    assert.equal(only(await find(['/w/app'])).parent, id(9));
  });

  test('a broken first line: the thread is listed by its name, its folder found further on', async () => {
    const lines = writing((to) => {
      to.meta({ cwd: '/w/app' });
      to.context('gpt-5', '/w/app');
      to.prompt('go');
    });
    const damaged = [lines[0]?.slice(0, 60), ...lines.slice(1)].join('\n');
    const path = await put(`.codex/sessions/2026/01/05/${nameOf(1)}`, `${damaged}\n`);
    assert.equal(only(await find(['/w/app'])).nativeId, id(1));
    const { skipped, userTurns, agent } = await inspectFile(path);
    assert.deepEqual([agent, userTurns], ['codex', 1]);
    assert.deepEqual(skipped, [{ line: 1, offset: 0, reason: 'notJson' }]);
  });

  test('threads that name no folder are told, not hidden', async () => {
    await put(`.codex/sessions/2026/01/05/${nameOf(1)}`, '{"type":"session_meta","payl');
    await put(`.codex/sessions/2026/01/05/${nameOf(2)}`, '');
    const { threads, problems, filesLookedAt } = await find(['/w/app']);
    assert.deepEqual([threads, filesLookedAt], [[], 2]);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['1 session does not say which folder they belong to'],
    );
  });

  test('a thread that is archived is the same thread, read on from where it was', async () => {
    const path = await put(`.codex/sessions/2026/01/05/${nameOf(1)}`, textOf(1));
    const before = only(await find(['/w/app']));
    const { cursor } = await source().read(before, undefined);
    await mkdir(at('.codex/archived_sessions'), { recursive: true });
    await rename(path, at(`.codex/archived_sessions/${nameOf(1)}`));
    const after = only(await find(['/w/app']));
    assert.equal(after.nativeId, before.nativeId);
    const read = await source().read(after, cursor);
    assert.deepEqual([read.records, read.restarted], [[], undefined]);
  });

  suite('compressed', () => {
    test('a cold rollout is found and read, by whichever decompressor there is', async () => {
      const path = await put(`.codex/sessions/2026/01/05/${nameOf(1)}.zst`, zstd(textOf(1)));
      const found = only(await find(['/w/app']));
      assert.equal(found.nativeId, id(1));
      const { records } = await source().read(found, undefined);
      assert.equal(
        `${records.map((record) => Buffer.from(record).toString()).join('\n')}\n`,
        textOf(1),
      );
      const { agent, userTurns, sessionId } = await inspectFile(path);
      assert.deepEqual([agent, userTurns, sessionId], ['codex', 1, id(1)]);
    });

    test('packing and unpacking goes on with the same records', async () => {
      const plain = `.codex/sessions/2026/01/05/${nameOf(1)}`;
      const path = await put(plain, textOf(1));
      const first = await source().read(only(await find(['/w/app'])), undefined);
      const packed = await put(`${plain}.zst`, zstd(textOf(1)));
      assert.equal(only(await find(['/w/app'])).path, path);
      await rm(path);
      const cold = only(await find(['/w/app']));
      assert.equal(cold.path, packed);
      const second = await source().read(cold, first.cursor);
      assert.deepEqual([second.records, second.restarted], [[], undefined]);
      await put(plain, textOf(1));
      await rm(packed);
      await appendFile(path, textOf(2));
      const third = await source().read(only(await find(['/w/app'])), second.cursor);
      assert.equal(third.restarted, undefined);
      assert.equal(third.records.length, textOf(2).trimEnd().split('\n').length);
    });

    test('a long one is read in pieces', async () => {
      const lines = writing((to) => {
        to.meta({ id: id(1), cwd: '/w/app' });
        for (let at = 0; at < 4000; at++) to.prompt(`${at} ${'x'.repeat(2000)}`);
      });
      await put(
        `.codex/sessions/2026/01/05/${nameOf(1)}.zst`,
        zstd(`${lines.join('\n')}\n`, 128 * 1024),
      );
      const found = only(await find(['/w/app']));
      let read = await source().read(found, undefined);
      let records = read.records.length;
      for (; read.more; records += read.records.length) {
        read = await source().read(found, read.cursor);
      }
      assert.equal(records, lines.length);
    });

    test('a damaged one is told', async () => {
      const bytes = zstd(textOf(1), 100).subarray(0, -20);
      await put(`.codex/sessions/2026/01/05/${nameOf(1)}.zst`, bytes);
      await assert.rejects(source().read(only(await find(['/w/app'])), undefined), (error) =>
        isExpected(error, 'badCompression'),
      );
    });
  });
});
