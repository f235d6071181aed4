import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Cursor } from '../core/model/records.js';
import { withoutWrites } from '../../test/agents/noWrites.mjs';
import { treeHash } from '../../test/agents/treeHash.js';
import type { Thread } from '../core/model/thread.js';
import { idsConform } from './conformanceIds.js';
import { foldFile } from './foldFile.js';
import type { FoundThread, Source, SourceQuery, ThreadParser } from './source.js';

/** A source, and how its agent keeps a session. */
export interface SourceCase {
  /** A new one each time: what it remembers must not reach from one test into another. */
  readonly create: () => Source;
  readonly id: string;
  /** Where the agent puts the session, below the user's home. */
  readonly path: (cwd: string) => string;
  /** What stands beside it, by path below the user's home. */
  readonly beside?: (cwd: string) => Readonly<Record<string, string>>;
  /** Lines of a session with at least two prompts, an answer and a tool call that is answered. */
  readonly lines: (cwd: string) => readonly string[];
  /**
   * The agent rewrites one JSON value instead: the lines are the items of its member `list` and, last,
   * an object of the others; with an empty name the value is the list itself.
   */
  readonly whole?: { readonly list: string };
  /** Calls have no ids in this form, so that nobody can count them. */
  readonly noCallIds?: boolean;
  /** A line's loss may make later ones unreadable: they are edits of what it held. */
  readonly linesDepend?: boolean;
  /** Nothing tells a record that is there twice from one that was said twice. */
  readonly noRecordIds?: boolean;
}

const cwd = '/home/user/project';

/** What every source of JSON lines must keep to, whatever its agent writes. */
export function sourceConforms(name: string, given: SourceCase): void {
  suite(`${name} keeps to what every source promises`, () => {
    let userHome: string;
    let source: Source;
    setup(async () => {
      userHome = await mkdtemp(join(tmpdir(), 'source-'));
      source = given.create();
    });
    teardown(() => rm(userHome, { recursive: true }));

    const lines = given.lines(cwd);
    const whole = textOf(lines, given.whole);
    const write = async (path: string, text: string | Buffer) => {
      const file = join(userHome, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    };
    const put = async (text: string | Buffer = whole, folder = cwd) => {
      for (const [path, beside] of Object.entries(given.beside?.(folder) ?? {})) {
        await write(path, beside);
      }
      return write(given.path(folder), text);
    };
    const query = (...folders: readonly string[]): SourceQuery => {
      return { folders, homes: [], env: {}, userHome };
    };
    const find = async (...folders: readonly string[]) => source.find(query(...folders));
    const found = async (): Promise<FoundThread> =>
      (await find(cwd)).threads[0] ?? assert.fail('not found');
    const parsed = (texts: readonly (string | Buffer)[], turns = true): ThreadParser => {
      const parser = source.parser(given.id, { turns });
      for (const text of texts) parser.push(Buffer.from(text));
      return parser;
    };
    const expected = given.create().parser(given.id);
    for (const line of lines) expected.push(Buffer.from(line));

    test('a session is found for its folder and for those around it, and for no other', async () => {
      const path = await put();
      const { threads, filesLookedAt, problems } = await find(cwd);
      assert.deepEqual([threads.length, filesLookedAt, problems], [1, 1, []]);
      const { size, mtimeMs } = await stat(path);
      const [thread] = threads;
      assert.deepEqual(
        [thread?.nativeId, thread?.path, thread?.bytes, thread?.modifiedAt],
        [given.id, path, size, mtimeMs],
      );
      assert.deepEqual((await find('/home/user/projec')).threads, []);
      assert.deepEqual((await find(`${cwd}/inner`)).threads, []);
      assert.deepEqual((await find('/home/user/other', cwd)).threads.length, 1);
    });

    test('asked for everything, it is found with the folder that it is about', async () => {
      await put();
      const { threads } = await source.find({ ...query(cwd), everywhere: true });
      assert.deepEqual([threads.length, threads[0]?.cwd ?? expected.thread().cwd], [1, cwd]);
      if (source.needsFolders === true) return;
      const unasked = await source.find({ ...query(), everywhere: true });
      assert.deepEqual(unasked.threads, threads);
    });

    test('a second look over files that did not change opens none', async () => {
      const path = await put();
      await utimes(path, 1000, 1000);
      const before = await find(cwd);
      // Only a reader that opens it can tell.
      await writeFile(path, Buffer.alloc(Buffer.byteLength(whole)), { flag: 'r+' });
      await utimes(path, 1000, 1000);
      assert.deepEqual(await find(cwd), before);
    });

    test('nothing in the store is touched by finding, reading and recognising', async () => {
      await put();
      const before = await treeHash(userHome);
      const { tried } = await withoutWrites(userHome, async () => {
        const thread = await found();
        await source.find({ ...query(cwd), everywhere: true });
        await source.read(thread, undefined);
        await foldFile(source, thread);
        await source.threadsIn?.(thread.path);
        source.recognises?.(whole);
        source.watch(query(cwd));
      });
      assert.deepEqual(tried, []);
      assert.equal(await treeHash(userHome), before);
    });

    test('a store that is not there is no problem, and no folder no threads', async () => {
      const nothing = { threads: [], filesLookedAt: 0, problems: [] };
      assert.deepEqual(await find(cwd), nothing);
    });

    test('records are the agent’s own bytes', async () => {
      await put();
      const { records, unfinished } = await source.read(await found(), undefined);
      assert.deepEqual(
        records.map((record) => Buffer.from(record).toString()),
        lines,
      );
      assert.equal(unfinished, undefined);
    });

    test('the session holds what the suite needs', () => {
      const { counts, turns } = expected.thread();
      assert.ok(counts.userTurns >= 2 && counts.assistantMessages >= 1 && turns.length >= 3);
      const matched = given.noCallIds === true ? counts.toolResultsMatched === null : undefined;
      assert.ok(matched ?? (counts.toolResultsMatched ?? 0) >= 1);
      assert.deepEqual([counts.malformed, expected.working], [0, false]);
      assert.equal(source.recognises?.(whole), true);
    });

    idsConform(given);

    const isLog = given.whole === undefined;
    const testOfLog = (title: string, check: () => unknown) => isLog && test(title, check);
    if (!isLog) {
      test('read whenever it is rewritten, it is the same thread', async () => {
        const items = lines.length - (given.whole?.list === '' ? 0 : 1);
        let kept: readonly Uint8Array[] = [];
        let cursor: Cursor | undefined;
        for (let count = 0; count <= items; count++) {
          const path = await put(textOf(lines.toSpliced(count, items - count), given.whole));
          const { size, mtimeMs } = await stat(path);
          const thread = { nativeId: given.id, path, bytes: size, modifiedAt: mtimeMs };
          const read = await source.read(thread, cursor);
          kept = [...kept.slice(0, read.restarted?.reused), ...read.records];
          cursor = read.cursor;
        }
        assert.deepEqual(
          parsed(kept.map((record) => Buffer.from(record))).thread(),
          expected.thread(),
        );
      });
    }

    testOfLog('read while it is written, in any pieces, it is the same thread', async () => {
      const bytes = Buffer.from(whole);
      const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 });
      const check = async (at: readonly number[]): Promise<void> => {
        const ends = [...at].sort((one, other) => one - other);
        const path = await put(bytes.subarray(0, ends[0] ?? 0));
        const parser = source.parser(given.id);
        let cursor: Cursor | undefined;
        let last = ends[0] ?? 0;
        for (const end of [...ends, bytes.length]) {
          await appendFile(path, bytes.subarray(last, end));
          last = end;
          const thread = { nativeId: given.id, path, bytes: end, modifiedAt: 0 };
          const read = await source.read(thread, cursor);
          assert.equal(read.restarted, undefined);
          for (const [index, record] of read.records.entries()) {
            parser.push(record, read.places?.[index]);
          }
          cursor = read.cursor;
        }
        assert.deepEqual(parser.thread(), expected.thread());
        assert.equal(parser.working, expected.working);
      };
      await fc.assert(fc.asyncProperty(cuts, check), { numRuns: 40 });
    });

    test('asking in between changes nothing, and counts need no turns', () => {
      const parser = source.parser(given.id);
      for (const line of lines) {
        parser.push(Buffer.from(line));
        parser.thread();
      }
      assert.deepEqual(parser.thread(), expected.thread());
      const lean = parsed(lines, false).thread({ turns: false });
      const whole = Object.entries({ ...expected.thread(), turns: [] });
      const without = whole.filter(([name]) => name !== 'branches');
      assert.deepEqual(lean, Object.fromEntries(without));
    });

    testOfLog('cut at any byte, all lines before are read and the rest is told', () => {
      const bytes = Buffer.from(whole);
      for (let size = 0; size < bytes.length; size++) {
        const cut = bytes.subarray(0, size).toString().split('\n');
        const rest = cut.pop() ?? '';
        const parser = parsed(cut);
        const before = JSON.stringify(parser.thread().turns);
        if (isJson(rest) || rest === '') continue;
        parser.push(Buffer.from(rest), { line: cut.length + 1, offset: 0, cut: true });
        const { skipped, counts, turns } = parser.thread();
        assert.deepEqual(skipped, [{ line: cut.length + 1, offset: 0, reason: 'incomplete' }]);
        assert.equal(counts.malformed, 1);
        assert.ok(JSON.stringify(turns).length >= before.length);
      }
    });

    const damages: Readonly<Record<string, (line: string) => string | Buffer>> = {
      'cut short': (line) => line.slice(0, -3),
      'a run of NULs': () => Buffer.alloc(700),
      'no object': () => '[1]',
      'bytes that are no text': () => Buffer.from([0xff, 0xfe, 0x80, 0x22]),
      'the end of another line': (line) => line.slice(-20),
    };
    for (const [damage, apply] of Object.entries(damages)) {
      test(`a line that is ${damage} costs that line alone, wherever it is`, () => {
        for (const [at, line] of lines.entries()) {
          const damaged: (string | Buffer)[] = [...lines];
          damaged[at] = apply(line);
          const { counts, skipped } = parsed(damaged).thread();
          assert.equal(counts.malformed, 1);
          assert.equal(skipped[0]?.line, at + 1);
          if (given.linesDepend === true) continue;
          const less = parsed(lines.toSpliced(at, 1)).thread().counts;
          assert.deepEqual({ ...counts, malformed: 0 }, less);
        }
      });
    }

    const folded = async (bytes: string | Buffer): Promise<Thread> => {
      const path = await put(bytes);
      const { size, mtimeMs } = await stat(path);
      const thread = { nativeId: given.id, path, bytes: size, modifiedAt: mtimeMs };
      return (await foldFile(source, thread)).thread();
    };

    test('a byte order mark changes nothing', async () => {
      const { counts, turns } = await folded(`\uFEFF${whole}`);
      assert.deepEqual([counts, turns], [expected.thread().counts, expected.thread().turns]);
    });

    test('an empty file holds nothing, and throws nothing', async () => {
      const { counts, turns } = await folded('');
      assert.deepEqual([counts.userTurns, turns.length], [0, 0]);
    });

    test('a file of UTF-16 is not passed over: that nothing of it could be read is told', async () => {
      const { counts, skipped } = await folded(Buffer.from(`\uFEFF${whole}`, 'utf16le'));
      assert.equal(counts.userTurns, 0);
      assert.ok(counts.malformed > 0 && skipped.length > 0);
    });

    testOfLog(
      'one broken line of 7,000 is told by its line and byte, and costs itself',
      async () => {
        const many = Array.from({ length: 7000 }, (_, at) => `{"hologram":${at}}`);
        const before = [...lines, ...many.slice(0, 4000)].join('\n');
        const text = `${before}\n{"broken\n${many.slice(4000).join('\n')}\n`;
        const { counts, skipped } = await folded(text);
        const { counts: own } = expected.thread();
        assert.deepEqual(counts, { ...own, malformed: 1 });
        const place = { line: lines.length + 4001, offset: Buffer.byteLength(before) + 1 };
        assert.deepEqual(skipped, [{ ...place, reason: 'notJson' }]);
      },
    );

    testOfLog('two glued lines cost no more than themselves', async () => {
      for (let at = 0; at + 1 < lines.length; at++) {
        const glued = lines.toSpliced(at, 2, `${lines[at] ?? ''}${lines[at + 1] ?? ''}`);
        const { counts, skipped } = await folded(`${glued.join('\n')}\n`);
        assert.deepEqual([counts.malformed, skipped[0]?.line], [1, at + 1]);
        if (given.linesDepend === true) continue;
        const less = parsed(lines.toSpliced(at, 2)).thread().counts;
        assert.deepEqual({ ...counts, malformed: 0 }, less);
      }
    });

    test('kinds of records that come next year change no number', () => {
      for (const foreign of futureRecords) {
        for (let at = 1; at <= lines.length; at++) {
          const { counts, skipped } = parsed(lines.toSpliced(at, 0, foreign)).thread();
          assert.deepEqual(counts, expected.thread().counts, `${foreign} at ${at}`);
          assert.deepEqual(skipped, []);
        }
      }
    });

    test('values of another kind than expected throw nothing', () => {
      for (const [at, line] of lines.entries()) {
        for (const odd of oddities(JSON.parse(line))) {
          parsed(lines.with(at, JSON.stringify(odd))).thread();
        }
      }
    });

    test('hostile ids are not resumed', () => {
      for (const nativeId of hostileIds) {
        assert.equal(source.resume?.({ nativeId }), undefined, nativeId);
      }
      const argv = source.resume?.({ nativeId: given.id });
      if (argv !== undefined) assert.ok(argv.some((part) => part.includes(given.id)));
    });
  });
}

/** The file that holds these lines. */
function textOf(lines: readonly string[], whole: SourceCase['whole']): string {
  if (whole === undefined) return `${lines.join('\n')}\n`;
  if (whole.list === '') return `[${lines.join(',')}]\n`;
  const others = lines.at(-1) ?? '{}';
  const comma = others === '{}' ? '' : ',';
  const items = lines.slice(0, -1).join(',');
  return `{"${whole.list}":[${items}]${comma}${others.slice(1)}\n`;
}

const hostileIds = [
  '',
  '-x',
  '--help',
  '../../x',
  'a b',
  'x;rm',
  '$(x)',
  'x\ny',
  '\0',
  'é',
  '/etc',
];

const futureRecords = [
  '{"type":"hologram","payload":{"type":"beam","message":7}}',
  '{"hologram":{"beam":[{"type":"text","text":"not a prompt"}]}}',
  '{}',
];

/** The value with each of its members, at any depth, replaced by something else. */
function* oddities(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const others = [null, 7, 'x', [], {}, [null, 7, 'x', {}], { type: 7 }];
    for (const other of [...others, ...oddities(inner)]) {
      const copy = { ...value, [key]: other };
      yield isList ? Object.values(copy) : copy;
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
