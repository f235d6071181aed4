import assert from 'node:assert/strict';
import fs from 'node:fs';
import { appendFile, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutWrites } from '../../test/agents/noWrites.mjs';
import { treeHash } from '../../test/agents/treeHash.js';
import { inspectFile } from './inspect.js';

const fixtures = new URL('../../test/fixtures/', import.meta.url).pathname;

suite("other programs' files are only read", () => {
  let folder: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-only-'));
  });
  teardown(() => rm(folder, { recursive: true }));

  test('the guard of these tests notices every way to change something', async () => {
    const file = join(folder, 'a');
    await writeFile(file, 'a');
    const ways: readonly (() => unknown)[] = [
      () => writeFile(file, 'b'),
      () => appendFile(file, 'b'),
      () => open(file, 'a'),
      () => open(file, fs.constants.O_RDWR),
      () => mkdir(join(folder, 'b')),
      () => rename(file, join(folder, 'b')),
      () => rm(file),
      () => fs.writeFileSync(file, 'b'),
      () => fs.openSync(file, 'w'),
      () => fs.utimesSync(file, 1, 1),
      () => fs.createWriteStream(file),
    ];
    const { tried } = await withoutWrites(folder, async () => {
      for (const way of ways) await assert.rejects(Promise.resolve().then(way), /is not ours/);
      await (await open(file, 'r')).close();
    });
    assert.equal(tried.length, ways.length);
    assert.equal(fs.readFileSync(file, 'utf8'), 'a');
    await writeFile(file, 'after it, files are written as before');
  });

  test('transcripts and databases of every agent are read without a try to write', async () => {
    const agents = fs
      .readdirSync(fixtures, { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !['packs', 'schemas', 'sqlite'].includes(entry.name),
      );
    const before = await treeHash(fixtures);
    let read = 0;
    const { tried } = await withoutWrites(fixtures, async () => {
      for (const { name } of agents) {
        for (const file of fs.readdirSync(join(fixtures, name))) {
          if (!/\.(jsonl|json|md|txt|chat|db)$/.test(file) || file === 'README.md') continue;
          await inspectFile(join(fixtures, name, file), name).catch(() => undefined);
          read += 1;
        }
      }
    });
    assert.deepEqual(tried, []);
    assert.ok(read > 40, `${read} files`);
    assert.equal(await treeHash(fixtures), before);
  });
});
