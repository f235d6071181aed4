import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { git, TestFolders, traceOf, treeOf, write } from '../testRepository.js';
import { applyAll, binary, lines, twoClones, type Pair } from './testApply.js';

suite('laying the changes of one clone on another', function () {
  this.timeout(900_000);
  const folders = new TestFolders();
  teardown(() => folders.remove());

  const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

  /** Bob's files come out as Ann's are, and nothing of his repository has moved. */
  const comesOut = (
    title: string,
    files: Readonly<Record<string, string | Buffer>>,
    work: (ann: string) => void,
    plan: readonly string[],
  ) =>
    test(title, async () => {
      const pair = twoClones(folders, files);
      work(pair.ann);
      const before = stateOf(pair.bob);
      const applied = await applyAll(pair);
      assert.deepEqual(applied.plan, plan);
      assert.deepEqual(treeOf(pair.bob), treeOf(pair.ann));
      assert.deepEqual(stateOf(pair.bob), before);
      assert.deepEqual((await applyAll(pair)).plan, [], 'once more changes nothing');
    });
  const stateOf = (root: string) => [
    git(root, 'rev-parse', 'HEAD'),
    git(root, 'for-each-ref'),
    git(root, 'ls-files', '--stage'),
    git(root, 'count-objects', '-v'),
  ];

  comesOut(
    'changed, staged or not',
    { a: 'a\n', b: 'b\n', c: 'c\n' },
    (ann) => {
      write(ann, 'a', 'a2\n');
      write(ann, 'b', 'b2\n');
      git(ann, 'add', 'b');
      write(ann, 'c', 'c2\n');
      git(ann, 'add', 'c');
      write(ann, 'c', 'c3\n');
    },
    ['change a', 'change b', 'change c'],
  );
  comesOut(
    'new: untracked, staged, in new folders, without a line end, empty',
    { a: 'a\n' },
    (ann) => {
      write(ann, 'x/y/new', 'new');
      write(ann, 'staged', 'staged\n');
      git(ann, 'add', 'staged');
      write(ann, 'empty', '');
      write(ann, 'staged-empty', '');
      git(ann, 'add', 'staged-empty');
    },
    ['add empty', 'add staged', 'add staged-empty', 'add x/y/new'],
  );
  comesOut(
    'deleted, with the folder that became empty',
    { a: 'a\n', 'd/e/f': 'f\n', 'd/g': 'g\n' },
    (ann) => {
      rmSync(join(ann, 'a'));
      git(ann, 'rm', '-q', 'd/e/f');
    },
    ['delete a', 'delete d/e/f'],
  );
  comesOut(
    'moved, with and without a change',
    { a: lines(), b: lines([3, 'b']) },
    (ann) => {
      git(ann, 'mv', 'a', 'moved');
      git(ann, 'mv', 'b', 'b2');
      write(ann, 'b2', lines([3, 'b'], [9, 'changed']));
    },
    ['move a > moved', 'move b > b2'],
  );
  comesOut(
    'two files that changed places',
    { a: lines([1, 'a']), b: lines([2, 'b']) },
    (ann) => {
      renameSync(join(ann, 'a'), join(ann, 'c'));
      renameSync(join(ann, 'b'), join(ann, 'a'));
      renameSync(join(ann, 'c'), join(ann, 'b'));
    },
    ['change a', 'change b'],
  );
  comesOut(
    'binary, changed and new',
    { 'a.bin': binary },
    (ann) => {
      write(ann, 'a.bin', Buffer.concat([binary, Buffer.from([0, 255, 13, 10])]));
      write(ann, 'new.bin', binary.subarray(100));
      git(ann, 'add', 'new.bin');
      write(ann, 'loose.bin', binary.subarray(200));
    },
    ['add loose.bin', 'add new.bin', 'change a.bin'],
  );
  comesOut(
    'carriage returns, mixed and at the end',
    { a: 'a\r\nb\r\n', b: 'a\nb\n' },
    (ann) => {
      write(ann, 'a', 'a\r\nb2\r\nc\n');
      write(ann, 'b', 'a\r\nb\n\r');
      write(ann, 'new', '\r\n\n\r');
    },
    ['add new', 'change a', 'change b'],
  );
  comesOut(
    'text in other encodings',
    { 'l.txt': Buffer.from('caf\xe9\n', 'latin1') },
    (ann) => {
      write(ann, 'l.txt', Buffer.from('caf\xe9 cr\xe8me\n', 'latin1'));
      write(ann, 'u.txt', Buffer.from('\ufeffüber\r\n', 'utf16le'));
      write(ann, '日本語/ファイル “x”.txt', 'こんにちは\n');
    },
    ['add u.txt', 'add 日本語/ファイル “x”.txt', 'change l.txt'],
  );
  if (process.platform !== 'win32') {
    comesOut(
      'programs',
      { a: 'a\n', b: 'b\n' },
      (ann) => {
        chmodSync(join(ann, 'a'), 0o755);
        write(ann, 'run', '#!/bin/sh\n');
        chmodSync(join(ann, 'run'), 0o755);
      },
      ['add run', 'change a'],
    );
    comesOut(
      'odd names',
      { 'a b': 'a\n', 'q"uote': 'q\n', '-rf': 'x\n' },
      (ann) => {
        for (const name of ['a b', 'q"uote', '-rf']) write(ann, name, 'changed\n');
        const untracked = ['$(id)', ';ls', '--help', 'tab', "it's", '#x?y'];
        for (const name of untracked) write(ann, name, 'x\n');
      },
      [
        ...['add #x?y', 'add $(id)', 'add --help', 'add ;ls', "add it's", 'add tab'],
        ...['change -rf', 'change a b', 'change q"uote'],
      ],
    );
  }

  test('what a person keeps as it is stays, and the rest comes', async () => {
    const pair = twoClones(folders, { a: 'a\n', b: 'b\n' });
    write(pair.ann, 'a', 'ann\n');
    write(pair.ann, 'b', 'ann\n');
    write(pair.bob, 'a', 'bob\n');
    const { plan } = await applyAll(pair, { choice: { without: new Set(['a']) } });
    assert.deepEqual(plan, ['change b', 'left a asked']);
    assert.deepEqual([read(pair.bob, 'a'), read(pair.bob, 'b')], ['bob\n', 'ann\n']);
  });

  test('text that stands in an editor only is not overtaken', async () => {
    const pair = twoClones(folders);
    write(pair.ann, 'a.txt', 'ann\n');
    const isUnsaved = (path: string): boolean => path === join(pair.bob, 'a.txt');
    assert.deepEqual((await applyAll(pair, { choice: { isUnsaved } })).plan, [
      'CONFLICT a.txt unsaved',
    ]);
  });

  test('files that programs take commands from come only when asked for', async () => {
    const pair = twoClones(folders, { '.vscode/settings.json': '{}\n', a: 'a\n' });
    write(pair.ann, '.vscode/settings.json', '{"a": 1}\n');
    write(pair.ann, '.env', 'A=1\n');
    write(pair.ann, 'a', 'ann\n');
    const left = ['left .env sensitive', 'left .vscode/settings.json sensitive'];
    assert.deepEqual((await applyAll(pair)).plan, ['change a', ...left]);
    assert.equal(existsSync(join(pair.bob, '.env')), false);
    const { plan } = await applyAll(pair, { choice: { sensitive: true } });
    assert.deepEqual(plan, ['add .env', 'change .vscode/settings.json']);
  });

  test('links are not made, and nothing is written through one', async function () {
    if (process.platform === 'win32') this.skip();
    const outside = folders.make();
    const pair = twoClones(folders);
    symlinkSync(outside, join(pair.ann, 'link'));
    git(pair.ann, 'add', 'link');
    write(pair.ann, 'docs/a', 'ann\n');
    symlinkSync(outside, join(pair.bob, 'docs'));
    const { plan } = await applyAll(pair);
    assert.deepEqual(plan, ['CONFLICT docs/a inTheWay', 'left link link']);
    assert.deepEqual(treeOf(outside), []);
  });

  test('no name out of a session leads out of the folder or into git’s own, whatever it is made of', async () => {
    const pair = twoClones(folders);
    const outside = ['evil', 'etc/passwd', '.git/config', '.git/hooks/pre-commit', 'x'];
    const ways = [
      ...['../', '../../', './../', 'a/../../', 'a/b/../../../', '/', '//', '///', '/./', './/'],
      ...[
        '..\\',
        '..\\..\\',
        '\\',
        '\\\\server\\share\\',
        '\\\\?\\C:\\',
        'C:',
        'C:/',
        'C:\\',
        'c:..\\',
      ],
      ...[
        '.git/',
        '.GIT/',
        '.git./',
        '.git /',
        '.Git/../.git/',
        'git~1/',
        '.g\u200cit/',
        'sub/.git/',
      ],
      ...[
        'con/',
        'NUL.txt/',
        'a\0/',
        'a\n/',
        'a\u001b/',
        'dir./',
        'dir /',
        'file:///',
        '~:/',
        'a:b/',
      ],
      ...['.git::$INDEX_ALLOCATION/', 'aux/', 'com1/', 'lpt9.log/'],
    ];
    const hostile = ways.flatMap((way) => outside.map((name) => `${way}${name}`));
    assert.ok(hostile.length >= 200, `${hostile.length}`);
    const before = traceOf(dirname(pair.bob));
    const { plan, written } = await applyAll(pair, {
      choice: { sensitive: true },
      change: (changes, blobs) => {
        blobs.set('evil', Buffer.from('evil\n'));
        const untracked = hostile.map((path) => ({ path, size: 5, content: 'evil' }));
        return { ...changes, untracked };
      },
    });
    assert.deepEqual(plan, hostile.map((path) => `left ${path} name`).sort());
    assert.deepEqual(written, []);
    assert.deepEqual(traceOf(dirname(pair.bob)), before);
  });

  test('nor does a patch', async () => {
    const pair = twoClones(folders);
    write(pair.ann, 'new', 'evil\n');
    git(pair.ann, 'add', 'new');
    for (const name of ['../new', '.git/new', 'a/../../new', '/new']) {
      const before = traceOf(dirname(pair.bob));
      const { plan } = await applyAll(pair, {
        choice: { sensitive: true },
        change: (changes, blobs) => {
          const hash = changes.staged ?? '';
          const patch = blobs.get(hash)?.toString('utf8') ?? '';
          blobs.set(hash, Buffer.from(patch.replaceAll('/new', `/${name}`)));
          return { ...changes, files: [] };
        },
      });
      assert.ok(
        plan.length > 0 &&
          plan.every((line) => /^(?:CONFLICT .* doesNotFit|left .* name)$/.test(line)),
        `${name}: ${plan.join(', ')}`,
      );
      assert.deepEqual(traceOf(dirname(pair.bob)), before);
    }
  });

  test('a repository without a commit yet', async () => {
    const pair: Pair = { ann: folders.make(), bob: folders.make() };
    for (const root of [pair.ann, pair.bob]) git(root, 'init', '-q', '-b', 'main');
    write(pair.ann, 'a', 'a\n');
    git(pair.ann, 'add', 'a');
    write(pair.ann, 'b', 'b\n');
    assert.deepEqual((await applyAll(pair)).plan, ['add a', 'add b']);
    assert.deepEqual(treeOf(pair.bob), treeOf(pair.ann));
  });

  test('a plan writes nothing, not even into git’s own folder', async () => {
    const pair = twoClones(folders, { a: lines() });
    write(pair.ann, 'a', lines([2, 'ann']));
    write(pair.ann, 'new', 'new\n');
    write(pair.bob, 'a', lines([15, 'bob']));
    const before = traceOf(pair.bob);
    assert.deepEqual((await applyAll(pair, { dryRun: true })).plan, ['add new', 'merge a']);
    assert.deepEqual(traceOf(pair.bob), before);
  });

  test('what did not come along is named, and what lies on it too', async () => {
    const pair = twoClones(folders, { a: lines(), b: 'b\n' });
    write(pair.ann, 'a', lines([2, 'staged']));
    git(pair.ann, 'add', 'a');
    write(pair.ann, 'a', lines([2, 'then changed']));
    write(pair.ann, 'b', 'ann\n');
    write(pair.ann, 'secret', 'secret\n');
    const { plan } = await applyAll(pair, {
      change: (changes) => ({
        ...changes,
        // As a sender leaves out what has a secret in it.
        staged: undefined,
        untracked: changes.untracked.map(({ path, size }) => ({ path, size })),
      }),
    });
    assert.deepEqual(plan, ['change b', 'left a notSent', 'left secret notSent']);
  });

  test('a patch that does not fit its commit stands against all of it', async () => {
    const pair = twoClones(folders, { a: lines(), b: 'b\n' });
    write(pair.ann, 'a', lines([2, 'ann']));
    write(pair.ann, 'b', 'ann\n');
    const { plan, written } = await applyAll(pair, {
      change: (changes, blobs) => {
        const patch = blobs.get(changes.unstaged ?? '')?.toString('utf8') ?? '';
        blobs.set(changes.unstaged ?? '', Buffer.from(patch.replace('-line 2', '-line two')));
        return changes;
      },
    });
    assert.deepEqual([plan, written], [['CONFLICT a doesNotFit', 'change b'], undefined]);
  });

  test('a mode of Bob’s own stays, and nobody else may read what they could not', async function () {
    if (process.platform === 'win32') this.skip();
    const pair = twoClones(folders, { a: 'a\n', b: 'b\n' });
    write(pair.ann, 'a', 'ann\n');
    chmodSync(join(pair.ann, 'b'), 0o755);
    chmodSync(join(pair.bob, 'a'), 0o600);
    chmodSync(join(pair.bob, 'b'), 0o640);
    await applyAll(pair);
    const mode = (path: string): number => lstatSync(join(pair.bob, path)).mode & 0o777;
    assert.deepEqual([mode('a'), mode('b')], [0o600, 0o750]);
  });

  test('in a linked worktree and below a folder of the repository', async () => {
    const pair = twoClones(folders, { 'sub/a': 'a\n' });
    const worktree = join(folders.make(), 'tree');
    git(pair.bob, 'worktree', 'add', '-q', worktree, '-b', 'other');
    write(pair.ann, 'sub/a', 'ann\n');
    mkdirSync(join(worktree, 'sub', 'deep'));
    await applyAll({ ann: pair.ann, bob: join(worktree, 'sub', 'deep') });
    assert.equal(read(worktree, 'sub/a'), 'ann\n');
    assert.equal(read(pair.bob, 'sub/a'), 'a\n');
  });

  test('no filter, hook or monitor of the repository’s configuration is run by a plan', async function () {
    if (process.platform === 'win32') this.skip();
    const pair = twoClones(folders);
    const canary = join(folders.make(), 'ran');
    write(pair.ann, 'a.txt', 'ann\n');
    writeFileSync(
      join(pair.bob, '.git', 'hooks', 'post-index-change'),
      `#!/bin/sh\ntouch ${canary}\n`,
    );
    chmodSync(join(pair.bob, '.git', 'hooks', 'post-index-change'), 0o755);
    git(pair.bob, 'config', 'core.fsmonitor', `touch ${canary}; false`);
    git(pair.bob, 'config', 'merge.evil.driver', `touch ${canary}`);
    await applyAll(pair);
    assert.equal(existsSync(canary), false);
  });
});
