import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Catalog } from '../core/model/session.js';
import { readCatalog, writeCatalog } from './catalog.js';
import { emptyIndex, TestPack, tsx } from './testFrames.js';

suite('catalog', () => {
  let folder: string;
  let file: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepthread-catalog-'));
    file = join(folder, 'view', 'catalog.json');
  });
  teardown(() => rm(folder, { recursive: true }));

  const sample = async (): Promise<Catalog> => {
    const index = await emptyIndex();
    const pack = new TestPack('a.pack');
    pack.session('s', { workspace: 'file:///w', set: { title: 'lone \ud800', tags: ['nul \0'] } });
    pack.snapshot('s', 'one', { label: '🧵', summary: { branch: 'main' } });
    pack.session('empty');
    index.apply(pack.frames, []);
    const sessions = index.sessions();
    index.close();
    return { schemaVersion: 1, activeSessionId: 's', sessions };
  };

  test('the list that a window paints first is the one that was saved last', async () => {
    const catalog = await sample();
    await writeCatalog(file, { schemaVersion: 1, sessions: [] });
    await writeCatalog(file, catalog);
    const read = await readCatalog(file);
    assert.deepEqual(read.problems, []);
    assert.deepEqual(JSON.stringify(read.catalog), JSON.stringify(catalog));
    assert.deepEqual(await readdir(join(folder, 'view')), ['catalog.json']);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('without one, the list is empty and nobody is told of a problem', async () => {
    assert.deepEqual(await readCatalog(file), { problems: [] });
  });

  const refuses = (title: string, make: (good: Buffer) => Uint8Array) =>
    test(`a file that cannot be used is kept and said: ${title}`, async () => {
      await writeCatalog(file, await sample());
      const bytes = make(await readFile(file));
      await writeFile(file, bytes);
      const read = await readCatalog(file);
      assert.equal(read.catalog, undefined);
      assert.equal(read.problems.length, 1);
      const [aside, ...others] = await readdir(join(folder, 'view'));
      assert.deepEqual(others, []);
      assert.match(aside ?? '', /^catalog\.json\.\d{4}-/);
      assert.deepEqual(await readFile(join(folder, 'view', aside ?? '')), Buffer.from(bytes));
      await writeCatalog(file, { schemaVersion: 1, sessions: [] });
      assert.deepEqual((await readCatalog(file)).problems, []);
    });
  refuses('0 bytes', () => new Uint8Array());
  refuses('NUL bytes', (good) => new Uint8Array(good.length));
  refuses('cut in the middle', (good) => good.subarray(0, good.length / 2));
  refuses('another document', () => Buffer.from('{"recentlyOpened": []}'));
  refuses('one of a newer version', () => Buffer.from('{"schemaVersion":2,"sessions":[]}'));
  refuses('a session without an id', (good) =>
    Buffer.from(good.toString().replace('"id":"s"', '"no":1')),
  );

  test('reading it loads no database code: the window paints before that', async () => {
    const module = new URL('./catalog.ts', import.meta.url).href;
    const code = `
      const { readCatalog } = await import(${JSON.stringify(module)});
      await readCatalog('none');
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(loaded.filter((path) => path.includes('sql')).length);`;
    const argv = ['--import', tsx, '--input-type=module', '--eval', code];
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    assert.equal(stdout.trim(), '0');
  });
});
