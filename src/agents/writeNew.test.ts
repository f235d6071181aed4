import assert from 'node:assert/strict';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import type { Converted } from './target.js';
import { listWritten, takeBack, writeNew } from './writeNew.js';

suite('what is written into another program’s store', () => {
  let base: string;
  let store: string;
  let home: string;
  setup(async () => {
    base = await mkdtemp(join(tmpdir(), 'write-'));
    store = join(base, 'store');
    home = join(base, 'home');
  });
  teardown(() => rm(base, { recursive: true }));

  const converted = (files: Readonly<Record<string, string>>): Converted => ({
    agent: 'claude-code',
    nativeId: '5f2c9d1e-7a43-4b8f-9c56-0d1e2f3a4b5c',
    home,
    cwd: base,
    env: {},
    userHome: base,
    files: Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
    command: [],
    report: { from: 'codex', to: 'claude-code', lines: [] },
    expected: [],
  });
  const all = async (): Promise<readonly string[]> =>
    (await readdir(base, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(base.length + 1))
      .sort();

  test('is for its owner only, and listed', async () => {
    const written = await writeNew(store, converted({ 'a/b/one': '1', 'a/two': '2' }), 'codex:x');
    assert.equal(await readFile(join(home, 'a/b/one'), 'utf8'), '1');
    if (process.platform !== 'win32') {
      assert.equal((await stat(join(home, 'a/b/one'))).mode & 0o777, 0o600);
      assert.equal((await stat(join(home, 'a/b'))).mode & 0o777, 0o700);
    }
    assert.deepEqual(await listWritten(store), [written]);
  });

  for (const name of ['../evil', 'a/../../evil', '..', '../../../../evil.jsonl']) {
    test(`never leaves the agent’s home: ${name}`, async () => {
      await assert.rejects(writeNew(store, converted({ [name]: 'x' }), 'codex:x'), /leads out of/);
      assert.deepEqual(await all(), []);
    });
  }

  test('is all gone once it is taken back, its folders too', async () => {
    await mkdir(home);
    const before = await all();
    const written = await writeNew(store, converted({ 'a/b/one': '1', 'a/two': '2' }), 'codex:x');
    const { removed, kept } = await takeBack(store, written);
    assert.deepEqual([removed.length, kept], [2, []]);
    assert.deepEqual(await all(), before);
    assert.deepEqual(await readdir(home), []);
    assert.deepEqual(await listWritten(store), []);
  });

  test('stays where the agent has gone on with it', async () => {
    const written = await writeNew(store, converted({ one: '1', two: '2' }), 'codex:x');
    await appendFile(join(home, 'one'), 'more');
    const { removed, kept } = await takeBack(store, written);
    assert.deepEqual([removed, kept], [[join(home, 'two')], [join(home, 'one')]]);
    assert.equal(await readFile(join(home, 'one'), 'utf8'), '1more');
    assert.equal((await listWritten(store)).length, 1);
  });

  test('never takes the place of a file, even of one with the same bytes', async () => {
    await mkdir(home);
    await writeFile(join(home, 'two'), '2');
    const before = await all();
    await assert.rejects(writeNew(store, converted({ one: '1', two: '2' }), 'codex:x'), (error) =>
      isExpected(error, 'exists'),
    );
    assert.deepEqual(await all(), before);
  });

  test('leaves nothing where the disk refuses', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    await mkdir(join(home, 'closed'), { recursive: true });
    await chmod(join(home, 'closed'), 0o500);
    const before = await all();
    await assert.rejects(
      writeNew(store, converted({ one: '1', 'closed/two': '2' }), 'codex:x'),
      (error) => isExpected(error, 'notWritten'),
    );
    assert.deepEqual(await all(), before);
  });

  test('is in the way of nothing: a file where a folder is needed', async () => {
    await mkdir(home);
    await writeFile(join(home, 'a'), 'theirs');
    const before = await all();
    await assert.rejects(
      writeNew(store, converted({ one: '1', 'a/two': '2' }), 'codex:x'),
      (error) => isExpected(error),
    );
    assert.deepEqual(await all(), before);
    assert.equal(await readFile(join(home, 'a'), 'utf8'), 'theirs');
  });
});
