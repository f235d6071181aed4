import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { git, TestFolders, write } from '../testRepository.js';
import { applyAll, lines, traceHere, twoClones } from './testApply.js';

const names = ['a', 'b.txt', 'd/a', 'd/b', 'd/e/f', 'x y', 'ü'];
const text = fc.oneof(
  fc.constantFrom('', 'x', 'a\r\nb\r\n', lines(), lines([1, 'one']), lines([18, 'eighteen'])),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);
const tree = fc.dictionary(fc.constantFrom(...names), text);
/** What somebody does: writes files and removes them, and stages some of it. */
const work = fc.record({
  writes: tree,
  removed: fc.subarray(names),
  staged: fc.subarray(names),
});

type Work = typeof work extends fc.Arbitrary<infer T> ? T : never;

suite('any change laid on any other', function () {
  this.timeout(900_000);
  const folders = new TestFolders();
  teardown(() => folders.remove());

  const bytesAt = (root: string, name: string): string => {
    const path = join(root, name);
    return existsSync(path) && lstatSync(path).isFile() ? readFileSync(path, 'base64') : 'none';
  };
  /** Whatever git takes for moved, by one of them or both. */
  const isOfMove = (line: string): boolean =>
    line.startsWith('move') || line.includes('(there ') || /(?:movedHere|bothMoved)$/.test(line);
  const does = (root: string, { writes, removed, staged }: Work): void => {
    for (const name of removed) rmSync(join(root, name), { force: true });
    for (const [name, content] of Object.entries(writes)) write(root, name, content);
    for (const name of staged) {
      const isKnown = git(root, 'ls-files', '--', name) !== '' || existsSync(join(root, name));
      if (isKnown) git(root, 'add', '-A', '--', name);
    }
  };

  test('what is staged comes staged wherever Bob has staged nothing else', async () => {
    const stagedAt = (root: string, name: string): string =>
      git(root, 'ls-files', '--stage', '--', name);
    await fc.assert(
      fc.asyncProperty(tree, work, work, async (base, hers, his) => {
        const pair = twoClones(folders, base);
        const was = new Map(names.map((name) => [name, stagedAt(pair.bob, name)]));
        does(pair.ann, hers);
        does(pair.bob, his);
        const ours = new Map(names.map((name) => [name, stagedAt(pair.bob, name)]));
        const head = git(pair.bob, 'for-each-ref');
        const { plan, staged } = await applyAll(pair, { staged: true });
        assert.equal(git(pair.bob, 'for-each-ref'), head);
        const isMoved = staged.some(isOfMove);
        const isBlocked = plan.some((line) => line.startsWith('CONFLICT'));
        for (const name of names) {
          const now = stagedAt(pair.bob, name);
          const theirs = stagedAt(pair.ann, name);
          const isRefused = isBlocked || staged.some((line) => line.includes(`CONFLICT ${name} `));
          if (isRefused) assert.equal(now, ours.get(name), name);
          if (isRefused || isMoved || staged.includes(`merge ${name}`)) continue;
          const expected = theirs === was.get(name) ? ours.get(name) : theirs;
          assert.equal(now, expected, `${name}: ${staged.join(', ')}`);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('what only one side changed is that side’s; what stands against it changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(tree, work, work, async (base, hers, his) => {
        const pair = twoClones(folders, base);
        const was = new Map(names.map((name) => [name, bytesAt(pair.bob, name)]));
        does(pair.ann, hers);
        does(pair.bob, his);
        const ours = new Map(names.map((name) => [name, bytesAt(pair.bob, name)]));
        const trace = traceHere(pair.bob);
        const refs = git(pair.bob, 'for-each-ref') + git(pair.bob, 'ls-files', '--stage');
        const { plan } = await applyAll(pair);
        if (plan.some((line) => line.startsWith('CONFLICT'))) {
          assert.deepEqual(traceHere(pair.bob), trace);
          return;
        }
        assert.equal(git(pair.bob, 'for-each-ref') + git(pair.bob, 'ls-files', '--stage'), refs);
        const isMoved = plan.some(isOfMove);
        for (const name of names) {
          const [theirs, now] = [bytesAt(pair.ann, name), bytesAt(pair.bob, name)];
          if (isMoved || plan.includes(`merge ${name}`)) continue;
          const expected = theirs === was.get(name) ? ours.get(name) : theirs;
          assert.equal(now, expected, `${name}: ${plan.join(', ')}`);
        }
      }),
      { numRuns: 15 },
    );
  });
});
