import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { loadSql } from './sqlite.js';
import { emptyIndex, TestPack, tsx, wasm } from './testFrames.js';
import { writeAtomic } from './writeAtomic.js';

suite('writeAtomic', () => {
  let folder: string;
  let file: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepthread-write-'));
    file = join(folder, 'sessions.db');
  });
  teardown(() => rm(folder, { recursive: true }));

  /** Runs a script with our modules in a process of its own. */
  const child = (
    script: string,
    options: { readonly shell?: string; readonly uid?: number } = {},
  ) => {
    const url = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
    const code = `
      import { writeAtomic } from ${url('./writeAtomic.ts')};
      import { emptyIndex, TestPack } from ${url('./testFrames.ts')};
      ${script}`;
    const argv = ['--import', tsx, '--input-type=module', '--eval', code];
    const { shell, uid } = options;
    const [command, args] =
      shell === undefined
        ? [process.execPath, argv]
        : ['sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...argv]];
    return spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid === undefined ? {} : { uid }),
    });
  };

  const outputOf = async (process: ReturnType<typeof child>): Promise<string> => {
    let output = '';
    process.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(process, 'close');
    return output.trim();
  };

  test('the new bytes take the place of the old ones, and nothing else is left', async () => {
    await writeAtomic(file, Buffer.from('old'));
    await writeAtomic(file, Buffer.from('new'));
    assert.equal(await readFile(file, 'utf8'), 'new');
    assert.deepEqual(await readdir(folder), ['sessions.db']);
  });

  test('writes to one file at the same time leave one of them whole', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(50_000));
    await Promise.all(texts.map((text) => writeAtomic(file, Buffer.from(text))));
    assert.ok(texts.includes(await readFile(file, 'utf8')));
    assert.deepEqual(await readdir(folder), ['sessions.db']);
  });

  const fails = (title: string, spoil: () => Promise<string>) =>
    test(`${title}: it is said, with what to do, and nothing is left behind`, async () => {
      const target = await spoil();
      const before = await readdir(folder, { recursive: true });
      await assert.rejects(writeAtomic(target, Buffer.from('new')), (error) => {
        assert.ok(isExpected(error, 'writeFailed'));
        assert.ok(error.message.includes(target));
        assert.ok(error.next);
        return true;
      });
      assert.deepEqual(await readdir(folder, { recursive: true }), before);
    });
  fails('a folder in the place of the file', async () => {
    await mkdir(join(file, 'full'), { recursive: true });
    return file;
  });
  fails('a file in the place of the folder', async () => {
    await writeFile(file, 'a file');
    return join(file, 'inside');
  });

  if (process.platform !== 'win32') {
    test('a folder that may not be written to: the old file stays and the next save works', async () => {
      // Root may write everywhere, so another user tries.
      const uid = process.getuid?.() === 0 ? 65534 : undefined;
      await writeFile(file, 'old');
      await chmod(file, 0o644);
      await chmod(folder, 0o555);
      const script = `
        await writeAtomic(${JSON.stringify(file)}, Buffer.from('new')).catch((error) => console.log(error.reason));`;
      assert.equal(await outputOf(child(script, uid === undefined ? {} : { uid })), 'notWritable');
      assert.equal(await readFile(file, 'utf8'), 'old');
      await chmod(folder, 0o755);
      await writeAtomic(file, Buffer.from('new'));
      assert.equal(await readFile(file, 'utf8'), 'new');
    });

    test('a disk that takes only a part of the bytes: the old file stays whole, and the index unsaved', async () => {
      const index = await emptyIndex(file);
      const pack = new TestPack('a.pack');
      pack.session('s', { set: { title: 'Old' } });
      index.apply(pack.frames, [pack.covered]);
      await index.save();
      index.close();
      const before = await readFile(file);
      // A file may have 256 blocks of 512 bytes; the write that crosses it is cut, as on a full disk.
      const script = `
        process.on('SIGXFSZ', () => undefined);
        const index = await emptyIndex(${JSON.stringify(file)});
        const pack = new TestPack('b.pack', 100n);
        for (let n = 0; n < 1000; n++) pack.session('s' + n, { set: { goal: 'x'.repeat(500) } });
        index.apply(pack.frames, [pack.covered]);
        await index.save().catch((error) => console.log(error.reason, index.dirty));`;
      assert.equal(await outputOf(child(script, { shell: 'ulimit -f 256' })), 'writeFailed true');
      assert.deepEqual(await readFile(file), before);
      assert.deepEqual(await readdir(folder), ['sessions.db']);
    });
  }

  test('killed while it saves, 15 times: the file always opens and holds one of the saved states', async function () {
    this.timeout(600_000);
    const sql = await loadSql(wasm);
    let last = 0;
    for (let round = 0; round < 15; round++) {
      const script = `
        const index = await emptyIndex(${JSON.stringify(file)});
        const title = Number(index.session('s0')?.title ?? 0);
        for (let n = title + 1; ; n++) {
          const pack = new TestPack('a.pack', BigInt(n * 1000));
          for (let s = 0; s < 200; s++) pack.session('s' + s, { set: { title: String(n) } });
          index.apply(pack.frames, [pack.covered]);
          await index.save();
          console.log(n);
        }`;
      const writer = child(script);
      const exited = once(writer, 'close');
      let acknowledged = last;
      writer.stdout.on('data', (chunk: Buffer) => {
        acknowledged = Number(chunk.toString().trim().split('\n').at(-1));
      });
      await once(writer.stdout, 'data');
      // Some rounds end in the middle of a write, whichever step it is at.
      await new Promise((resolve) => setTimeout(resolve, round * 7));
      writer.kill('SIGKILL');
      await exited;
      const database = new sql.Database(await readFile(file));
      assert.equal(database.exec('PRAGMA integrity_check')[0]?.values[0]?.[0], 'ok');
      database.close();
      const index = await emptyIndex(file);
      const titles = new Set(index.sessions().map(({ title }) => Number(title)));
      index.close();
      assert.equal(titles.size, 1, 'all rows are of one save');
      const [found = -1] = titles;
      assert.ok(found >= acknowledged, `save ${acknowledged} was acknowledged, ${found} is there`);
      assert.ok(found > last, 'the round saved something');
      last = found;
    }
    const names = await readdir(folder);
    assert.ok(names.every((name) => name === 'sessions.db' || name.endsWith('.tmp')));
  });
});
