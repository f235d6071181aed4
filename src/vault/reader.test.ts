import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { isExpected } from '../core/errors.js';
import { encodeFrame, headSize } from './frame.js';
import { encodePackHead, packHeadSize } from './packFile.js';
import { readFrameAt, readPackHead } from './reader.js';
import { readPack, temporaryFolder, textOf, texts } from './testVault.js';

suite('pack files that are read', () => {
  const folder = temporaryFolder();
  const path = (): string => join(folder(), 'one.pack');

  /** Texts that are stored as they are and texts that are compressed. */
  const contents = ['first', 'second '.repeat(40), '', 'fourth '.repeat(200), 'last'];

  interface Piece {
    readonly text: string;
    readonly begin: number;
    readonly end: number;
  }

  function build(words: readonly string[]): {
    readonly bytes: Buffer;
    readonly pieces: readonly Piece[];
  } {
    const parts = [encodePackHead()];
    let end = packHeadSize;
    const pieces = words.map((text, at) => {
      const { bytes } = encodeFrame({ type: 1, payload: Buffer.from(text) }, BigInt(at + 1));
      parts.push(bytes);
      const begin = end;
      end += bytes.length;
      return { text, begin, end };
    });
    return { bytes: Buffer.concat(parts), pieces };
  }

  suite('reading a pack', () => {
    test('gives every frame with its place, and single frames by their place', async () => {
      const { bytes, pieces } = build(contents);
      await writeFile(path(), bytes);
      const { frames, problems } = await readPack(path());
      assert.deepEqual(problems, []);
      assert.deepEqual(
        frames.map((frame) => ({ text: textOf(frame), begin: frame.offset, end: frame.end })),
        pieces,
      );
      for (const frame of frames) assert.deepEqual(await readFrameAt(path(), frame.offset), frame);
    });

    test('cut at any byte loses the cut frame alone, and goes on when the rest arrives', async () => {
      const { bytes, pieces } = build(contents);
      for (let length = 0; length <= bytes.length; length++) {
        await writeFile(path(), bytes.subarray(0, length));
        const before = await readPack(path());
        assert.deepEqual(
          texts(before),
          pieces.filter(({ end }) => end <= length).map(({ text }) => text),
          `${length} bytes`,
        );
        assert.deepEqual(before.problems, [], `${length} bytes`);
        await writeFile(path(), bytes);
        const after = await readPack(path(), before.frames.at(-1)?.end ?? 0);
        assert.deepEqual([...texts(before), ...texts(after)], contents, `${length} bytes`);
      }
    });

    test('with bits flipped loses the frames that they lie in, and says where', async () => {
      const { bytes, pieces } = build(contents);
      const bit = fc.nat({ max: bytes.length * 8 - 1 });
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(bit, { minLength: 1, maxLength: 3 }), async (hit) => {
          const damaged = Buffer.from(bytes);
          for (const bit of hit) damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          await writeFile(path(), damaged);
          const read = await readPack(path());
          const isHit = ({ begin, end }: Piece): boolean =>
            hit.some((bit) => bit >> 3 >= begin && bit >> 3 < end);
          assert.deepEqual(
            texts(read),
            pieces.filter((piece) => !isHit(piece)).map(({ text }) => text),
          );
          assert.ok(read.problems.length > 0);
          assert.match(read.problems[0]?.where ?? '', /^one\.pack @ \d+$/);
        }),
        { numRuns: 600 },
      );
    });

    test('finds the frames behind any garbage, however much of it looks like a frame', async () => {
      const { bytes } = build(['before', 'after']);
      const cut = encodeFrame({ type: 1, payload: Buffer.alloc(0) }, 1n).bytes;
      const magics = Buffer.concat(Array.from({ length: 200_000 }, () => cut.subarray(0, 4)));
      const middle = packHeadSize + headSize + 'before'.length;
      const garbage = [
        Buffer.alloc(1),
        Buffer.alloc(700_000),
        magics,
        cut.subarray(0, 3),
        cut.subarray(0, 75),
        Buffer.from('text '.repeat(100_000)),
        encodePackHead(),
      ];
      for (const between of garbage) {
        await writeFile(
          path(),
          Buffer.concat([bytes.subarray(0, middle), between, bytes.subarray(middle)]),
        );
        const read = await readPack(path());
        assert.deepEqual(texts(read), ['before', 'after']);
        assert.deepEqual(read.problems, [
          {
            where: `one.pack @ ${middle}`,
            message: `${between.length} bytes are damaged and were skipped.`,
          },
        ]);
      }
    });

    test('reads on behind damage at the end once something whole follows it', async () => {
      const { bytes, pieces } = build(['a', 'b', 'c']);
      const second = pieces[1];
      assert.ok(second);
      const damaged = Buffer.from(bytes);
      damaged[second.end - 1] = 0xff;
      await writeFile(path(), damaged.subarray(0, second.end));
      const before = await readPack(path());
      assert.deepEqual([texts(before), before.problems.length], [['a'], 1]);
      await writeFile(path(), bytes);
      assert.deepEqual(texts(await readPack(path(), before.frames[0]?.end)), ['b', 'c']);
    });

    test('a file that was cut since it was read is said to be so', async () => {
      const { bytes } = build(contents);
      await writeFile(path(), bytes);
      await truncate(path(), 40);
      const { frames, problems } = await readPack(path(), bytes.length);
      assert.deepEqual(frames, []);
      assert.match(problems[0]?.message ?? '', /ends at 40/);
    });

    test('a frame of 20 MB passes whole, and its neighbours too', async () => {
      const large = randomBytes(15_000_000).toString('base64');
      await writeFile(path(), build(['before', large, 'after']).bytes);
      const read = await readPack(path());
      assert.deepEqual(read.problems, []);
      assert.ok(read.frames[1] && textOf(read.frames[1]) === large);
      assert.equal(read.frames.length, 3);
    });
  });

  suite('a file that is no pack', () => {
    const reads = (title: string, bytes: Uint8Array, state: string, problems: number): void => {
      test(title, async () => {
        await writeFile(path(), bytes);
        assert.equal(await readPackHead(path()), state);
        const read = await readPack(path());
        assert.deepEqual([read.frames.length, read.problems.length], [0, problems]);
      });
    };
    reads('of 0 bytes is waited for', Buffer.alloc(0), 'incomplete', 0);
    reads(
      'of the first bytes of a pack is waited for',
      encodePackHead().subarray(0, 9),
      'incomplete',
      0,
    );
    reads('of 1 byte is said', Buffer.from('x'), 'damaged', 1);
    reads('of NUL bytes is said', Buffer.alloc(5000), 'damaged', 1);
    reads(
      'of text with a byte order mark is said',
      Buffer.from('\ufeffhello '.repeat(9)),
      'damaged',
      1,
    );
    reads(
      'of a newer version is left alone',
      Buffer.concat([encodePackHead(2), Buffer.alloc(99)]),
      'newer',
      0,
    );

    test('because its head is damaged still gives its frames', async () => {
      const { bytes } = build(contents);
      for (let bit = 0; bit < packHeadSize * 8; bit++) {
        const damaged = Buffer.from(bytes);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await writeFile(path(), damaged);
        const read = await readPack(path());
        assert.deepEqual([texts(read), read.problems.length], [contents, 1], `bit ${bit}`);
      }
    });
  });

  suite('reading one frame', () => {
    const fails = (title: string, prepare: () => Promise<number>): void => {
      test(title, async () => {
        const offset = await prepare();
        const named = (error: unknown): boolean =>
          isExpected(error, 'unreadable') &&
          error.message.includes(`${basename(path())} at ${offset}`);
        await assert.rejects(readFrameAt(path(), offset), named);
      });
    };
    fails('of a pack that is gone says so', () => Promise.resolve(16));
    fails('of a folder says so', async () => {
      await mkdir(path());
      return 16;
    });
    fails('from a wrong place says so', async () => {
      await writeFile(path(), build(contents).bytes);
      return 17;
    });
    fails('that was cut says so', async () => {
      const { bytes } = build(contents);
      await writeFile(path(), bytes.subarray(0, -1));
      return build(contents).pieces.at(-1)?.begin ?? 0;
    });
    fails('that was damaged says so', async () => {
      const { bytes, pieces } = build(contents);
      await writeFile(path(), bytes);
      const handle = await open(path(), 'r+');
      const [first] = pieces;
      await handle.write(Buffer.from('X'), 0, 1, (first?.end ?? 0) - 1);
      await handle.close();
      assert.notDeepEqual(await readFile(path()), bytes);
      return first?.begin ?? 0;
    });
  });
});
