import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readJsonl, type JsonlLimits } from './jsonl.js';
import type { Cursor } from '../core/model/records.js';
import type { ReadResult } from './source.js';

suite('reading a file that grows', () => {
  let folder: string;
  let path: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jsonl-'));
    path = join(folder, 'a.jsonl');
  });
  teardown(() => rm(folder, { recursive: true }));

  const record = (at: number) => JSON.stringify({ at, text: `record ${at} é 项目 🚀` });
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `${record(from + at)}\n`).join('');
  const texts = (read: ReadResult) => read.records.map((bytes) => Buffer.from(bytes).toString());
  const readAll = async (cursor?: Cursor, limits?: JsonlLimits) => {
    const all: string[] = [];
    let read = await readJsonl(path, cursor, undefined, limits);
    const { restarted } = read;
    all.push(...texts(read));
    while (read.more) {
      read = await readJsonl(path, read.cursor, undefined, limits);
      all.push(...texts(read));
    }
    return { all, restarted, cursor: read.cursor };
  };

  test('every record arrives once, however the writer’s chunks fall', async () => {
    const bytes = Buffer.from(lines(0, 12));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        async (sizes) => {
          await writeFile(path, '');
          const seen: string[] = [];
          let cursor: Cursor | undefined;
          let end = { offset: 0, records: 0 };
          for (let from = 0, step = 0; from < bytes.length; step++) {
            const to = from + (sizes[step % sizes.length] ?? 1);
            await appendFile(path, bytes.subarray(from, to));
            from = to;
            const read = await readAll(cursor);
            assert.equal(read.restarted, undefined);
            seen.push(...read.all);
            cursor = end = read.cursor;
          }
          assert.deepEqual(
            seen,
            Array.from({ length: 12 }, (_, at) => record(at)),
          );
          assert.equal(end.offset, bytes.length);
          assert.equal(end.records, 12);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('an unfinished last line waits, and its place is told', async () => {
    await writeFile(path, `${lines(0, 2)}{"at":`);
    const first = await readJsonl(path, undefined);
    assert.deepEqual(texts(first), [record(0), record(1)]);
    assert.deepEqual(first.unfinished, {
      line: 3,
      offset: Buffer.byteLength(lines(0, 2)),
      cut: true,
    });
    await appendFile(path, '2}\n');
    const second = await readJsonl(path, first.cursor);
    assert.deepEqual(texts(second), ['{"at":2}']);
    assert.equal(second.bytesRead, 9);
  });

  test('a last record without its line end is not held back for ever', async () => {
    await writeFile(path, `${lines(0, 1)}${record(1)}`);
    const first = await readJsonl(path, undefined);
    assert.deepEqual(texts(first), [record(0), record(1)]);
    await appendFile(path, `\n${lines(2, 3)}`);
    assert.deepEqual(texts(await readJsonl(path, first.cursor)), [record(2)]);
  });

  test('nothing new costs nothing', async () => {
    await writeFile(path, lines(0, 3));
    const first = await readJsonl(path, undefined);
    const second = await readJsonl(path, first.cursor);
    assert.deepEqual([second.records.length, second.bytesRead, second.more], [0, 0, false]);
    assert.deepEqual(second.cursor, first.cursor);
  });

  test('an empty file is no error', async () => {
    await writeFile(path, '');
    const read = await readJsonl(path, undefined);
    assert.deepEqual([read.records, read.more, read.cursor.offset], [[], false, 0]);
  });

  test('line ends of Windows, blank lines and a byte order mark lose no record and shift no place', async () => {
    await writeFile(path, '\uFEFF{"a":1}\r\n\r\n  \n{"b":2}\r\n\n{"c":3}');
    const read = await readJsonl(path, undefined);
    assert.deepEqual(texts(read), ['{"a":1}', '{"b":2}', '{"c":3}']);
    assert.deepEqual(read.places, [
      { line: 1, offset: 3 },
      { line: 4, offset: 17 },
      { line: 6, offset: 27 },
    ]);
  });

  test('broken lines are kept as they are', async () => {
    const broken = ['{"a":', '\0\0\0', '[1]', '{"a":1}{"b":2}'];
    await writeFile(path, broken.map((line) => `${line}\n`).join(''));
    assert.deepEqual(texts(await readJsonl(path, undefined)), broken);
  });

  const small: JsonlLimits = { chunkBytes: 100, longestLine: 1000 };

  test('a large file comes in bounded pieces, places and counts running on', async () => {
    await writeFile(path, lines(0, 40));
    let cursor: Cursor | undefined;
    let read: ReadResult;
    const seen: string[] = [];
    do {
      read = await readJsonl(path, cursor, undefined, small);
      assert.ok(read.bytesRead <= 100);
      for (const place of read.places ?? []) seen.push(`${place.line} @${place.offset}`);
      cursor = read.cursor;
    } while (read.more);
    let offset = 0;
    const expected = Array.from({ length: 40 }, (_, at) => {
      const place = `${at + 1} @${offset}`;
      offset += Buffer.byteLength(record(at)) + 1;
      return place;
    });
    assert.deepEqual(seen, expected);
  });

  test('a line longer than a piece is read whole', async () => {
    const long = JSON.stringify({ image: 'x'.repeat(900) });
    await writeFile(path, `${record(0)}\n${long}\n${record(1)}\n`);
    assert.deepEqual((await readAll(undefined, small)).all, [record(0), long, record(1)]);
  });

  test('a line past all bounds costs only itself', async () => {
    const endless = JSON.stringify({ image: 'x'.repeat(5000) });
    await writeFile(path, `${record(0)}\n${endless}\n${record(1)}\n`);
    const { all, cursor } = await readAll(undefined, small);
    assert.deepEqual([all.length, all[0], all[2]], [3, record(0), record(1)]);
    assert.equal(all[1], endless.slice(0, all[1]?.length));
    assert.equal(cursor.offset, (await stat(path)).size);
  });

  suite('that was changed behind its end', () => {
    const rewritten = (
      title: string,
      change: () => Promise<unknown>,
      expected: { readonly reused: number; readonly records: readonly string[] },
    ) =>
      test(title, async () => {
        await writeFile(path, lines(0, 10));
        const before = await readAll();
        await change();
        const after = await readAll(before.cursor);
        assert.deepEqual(after.restarted, { reused: expected.reused });
        assert.deepEqual(after.all, expected.records);
        assert.equal(after.cursor.generation, 1);
        assert.equal(after.cursor.records, expected.reused + expected.records.length);
        assert.equal((await readAll(after.cursor)).restarted, undefined);
      });
    const bytesOf = (count: number) => Buffer.byteLength(lines(0, count));

    rewritten('shrunk: what is left is known to be the same', () => truncate(path, bytesOf(9)), {
      reused: 9,
      records: [],
    });
    rewritten(
      'shrunk and grown: the new end is read',
      async () => {
        await truncate(path, bytesOf(9));
        await appendFile(path, lines(90, 92));
      },
      { reused: 9, records: [record(90), record(91)] },
    );
    rewritten('cut in the middle of a record', () => truncate(path, bytesOf(9) - 5), {
      reused: 6,
      records: [record(6), record(7)],
    });
    rewritten('emptied', () => writeFile(path, ''), { reused: 0, records: [] });
    rewritten('rewritten from the start', () => writeFile(path, lines(50, 80)), {
      reused: 0,
      records: lines(50, 80).trimEnd().split('\n'),
    });
    rewritten(
      'replaced by another file',
      async () => {
        await writeFile(`${path}.new`, lines(20, 40));
        await rename(`${path}.new`, path);
      },
      { reused: 0, records: lines(20, 40).trimEnd().split('\n') },
    );
    rewritten(
      'one early byte changed by an atomic replacement',
      async () => {
        await writeFile(`${path}.new`, lines(0, 10).replace('record 3', 'record X'));
        await rename(`${path}.new`, path);
      },
      {
        reused: 0,
        records: lines(0, 10).replace('record 3', 'record X').trimEnd().split('\n'),
      },
    );
  });

  test('a change far before the end is seen when the file was replaced', async () => {
    await writeFile(path, lines(0, 500));
    const before = await readAll();
    const changed = lines(0, 500).replace('record 3 ', 'record X ');
    await writeFile(`${path}.new`, changed);
    await rename(`${path}.new`, path);
    const after = await readAll(before.cursor);
    assert.deepEqual(after.restarted, { reused: 0 });
    assert.deepEqual(after.all, changed.trimEnd().split('\n'));
  });

  test('a copy put in the file’s place goes on where reading stopped', async () => {
    await writeFile(path, lines(0, 10));
    const before = await readAll();
    await writeFile(`${path}.new`, lines(0, 12));
    await rename(`${path}.new`, path);
    const after = await readAll(before.cursor);
    assert.equal(after.restarted, undefined);
    assert.deepEqual(after.all, [record(10), record(11)]);
    assert.equal(after.cursor.generation, 0);
  });

  test('after any change the records are those of the file, and only the end is read again', async () => {
    const edits = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 30 }) }),
        fc.record({ kind: fc.constant('cut' as const), count: fc.integer({ min: 0, max: 40 }) }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(edits, async (steps) => {
        const file: string[] = [];
        let known: string[] = [];
        let cursor: Cursor | undefined;
        let next = 0;
        await writeFile(path, '');
        for (const { kind, count } of steps) {
          if (kind === 'cut') file.splice(Math.max(0, file.length - count));
          else for (let at = 0; at < count; at++) file.push(record(next++));
          await writeFile(path, file.map((line) => `${line}\n`).join(''));
          const read = await readAll(cursor);
          known = [...known.slice(0, read.restarted?.reused ?? known.length), ...read.all];
          cursor = read.cursor;
          assert.deepEqual(known, file);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('a reader that is told to stop stops', async () => {
    await writeFile(path, lines(0, 3));
    await assert.rejects(readJsonl(path, undefined, AbortSignal.abort()), { name: 'AbortError' });
  });

  test('a missing file is said to be missing', async () => {
    await assert.rejects(readJsonl(path, undefined), { code: 'ENOENT' });
  });
});
