import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceOf } from '../agents/registry.js';
import type { FoundThread } from '../agents/source.js';
import { dropCounts, KeptCounts, type Counted } from './keptCounts.js';

const source = sourceOf('claude-code') ?? assert.fail();

suite('counts of conversations that are kept from one list to the next', () => {
  let home: string;
  let store: string;
  let path: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'counts-'));
    store = join(home, 'store');
    path = join(home, 'a.jsonl');
    await mkdir(store);
    await writeFile(path, '{}\n');
  });
  teardown(() => rm(home, { recursive: true }));

  const found = async (): Promise<FoundThread> => {
    const { size, mtimeMs } = await stat(path);
    return { nativeId: 'a', path, bytes: size, modifiedAt: mtimeMs };
  };
  const counted = (title: string): Counted => ({
    agent: 'claude-code',
    nativeId: 'a',
    title,
    turns: 1,
    messages: 2,
    skipped: 0,
  });
  /** As one process asks: the title that it answers with, which is `now` when it had to count. */
  const ask = async (
    now: string,
    hasSecret: (text: string) => boolean = () => false,
  ): Promise<string> => {
    const counts = new KeptCounts(store);
    const { title } = await counts.of(source, await found(), () => Promise.resolve(counted(now)));
    await counts.save(() => Promise.resolve(hasSecret));
    return title;
  };

  test('a file that stays is not counted again', async () => {
    assert.deepEqual([await ask('first'), await ask('second')], ['first', 'first']);
    assert.equal((await stat(join(store, 'counts.json'))).mode & 0o777, 0o600);
  });

  test('one that grew is', async () => {
    await ask('first');
    await appendFile(path, '{}\n');
    assert.equal(await ask('second'), 'second');
  });

  test('one of other bytes, the same size and the same time is, too', async () => {
    await utimes(path, 1000, 1000);
    await ask('first');
    const { ctimeNs: before } = await stat(path, { bigint: true });
    // The clock of a file system may stand still for some milliseconds.
    do {
      await writeFile(path, '[]\n');
      await utimes(path, 1000, 1000);
    } while ((await stat(path, { bigint: true })).ctimeNs === before);
    assert.equal(await ask('second'), 'second');
  });

  test('one whose copy changed is, too', async () => {
    const copy = join(home, 'b.jsonl');
    await writeFile(copy, '{}\n');
    const both = async (now: string) => {
      const counts = new KeptCounts(store);
      const { size } = await stat(copy);
      const thread = await found();
      const copies = [{ path: copy, bytes: size, modifiedAt: 1 }];
      const bytes = thread.bytes + size;
      const count = () => Promise.resolve(counted(now));
      const { title } = await counts.of(source, { ...thread, bytes, copies }, count);
      await counts.save(() => Promise.resolve(() => false));
      return title;
    };
    assert.deepEqual([await both('first'), await both('second')], ['first', 'first']);
    await appendFile(copy, '{}\n');
    assert.equal(await both('third'), 'third');
  });

  test('a title with a secret in it is never written down', async () => {
    const hasSecret = (text: string) => text.includes('secret');
    assert.equal(await ask('a secret', hasSecret), 'a secret');
    assert.equal(await ask('again', hasSecret), 'again');
    assert.ok(!(await readFile(join(store, 'counts.json'), 'utf8')).includes('secret'));
  });

  test('what is damaged or of another version is counted again, and a store is not made for it', async () => {
    for (const text of ['', '{', '{"version":"0.0.0","threads":{}}', '[]']) {
      await writeFile(join(store, 'counts.json'), text);
      assert.equal(await ask(`after ${text}`), `after ${text}`);
    }
    await dropCounts(store);
    assert.equal(await ask('forgotten'), 'forgotten');
    await rm(store, { recursive: true });
    assert.equal(await ask('without'), 'without');
    await assert.rejects(stat(store));
  });
});
