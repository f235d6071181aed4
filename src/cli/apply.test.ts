import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { buildCli, git, TestUser } from './testCli.js';

const notesSchema = z.array(z.object({ path: z.string(), reason: z.string() }));
const outcomeSchema = z.object({
  applied: z.boolean(),
  plan: z.object({
    state: z.string(),
    repositories: z.array(
      z.object({
        name: z.string(),
        state: z.string(),
        folder: z.string().optional(),
        foundBy: z.string().optional(),
        changes: z.array(z.object({ kind: z.string(), path: z.string() })),
        conflicts: notesSchema,
        left: notesSchema,
      }),
    ),
  }),
  unresolved: z.array(z.string()),
  undo: z.object({ snapshotId: z.string() }).optional(),
});
const importedSchema = z.object({ sessionId: z.string(), apply: outcomeSchema });

suite('going on with a session by the command line', function () {
  this.timeout(900_000);
  let cli: string;
  let ann: TestUser;
  let bob: TestUser;
  let shared: string;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(() => {
    ann = new TestUser(cli);
    bob = new TestUser(cli);
    shared = mkdtempSync(join(tmpdir(), 'keepthread-remote-'));
  });
  teardown(() => {
    ann.remove();
    bob.remove();
    rmSync(shared, { recursive: true });
  });

  const put = (user: TestUser, path: string, text: string): void =>
    writeFileSync(join(user.folder, path), text);
  const read = (user: TestUser, path: string): string =>
    readFileSync(join(user.folder, path), 'utf8');
  const file = (): string => join(ann.home, 'session.keepthread');

  /** A remote that both have, Ann's change on top of `commits` commits, and her session file. */
  const handOver = async (pushed = true): Promise<void> => {
    // Not below a home: those become `~` in a session file, and lead nowhere.
    const remote = join(shared, 'remote.git');
    git(shared, 'init', '-q', '--bare', '-b', 'main', remote);
    git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    git(ann.folder, 'init', '-q', '-b', 'main');
    put(ann, 'a.txt', 'one\ntwo\nthree\n');
    put(ann, 'b.txt', 'b\n');
    git(ann.folder, 'add', '.');
    git(ann.folder, 'commit', '-q', '-m', 'first');
    git(ann.folder, 'remote', 'add', 'origin', `file://${remote}`);
    git(ann.folder, 'push', '-q', 'origin', 'main');
    rmSync(bob.folder, { recursive: true });
    git(bob.home, 'clone', '-q', `file://${remote}`, bob.folder);
    if (!pushed) {
      git(ann.folder, 'commit', '-q', '--allow-empty', '-m', 'second');
      git(ann.folder, 'push', '-q', 'origin', 'main');
    }
    put(ann, 'a.txt', 'one\ntwo\nTHREE\n');
    put(ann, 'new.txt', 'new\n');
    ann.claude('Fix the login page');
    await ann.json('capture', '--folder', ann.folder);
    const list = z
      .object({ sessions: z.array(z.object({ id: z.string() })) })
      .parse(await ann.json('session', 'list'));
    await ann.json('session', 'export', list.sessions[0]?.id ?? '', '--output', file());
  };
  const at = (...args: readonly string[]): readonly string[] => [
    ...args,
    ...['--folder', bob.folder, '--json'],
  ];
  const applied = async (expected: number, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await bob.run(at(...args));
    assert.equal(code, expected, stderr);
    return JSON.parse(stdout) as unknown;
  };

  test('imports, shows the plan, applies it, and puts it back', async () => {
    await handOver();
    const { sessionId } = z
      .object({ sessionId: z.string() })
      .parse(await applied(0, 'session', 'import', file()));
    const id = sessionId.slice(0, 8);
    const dry = outcomeSchema.parse(await applied(0, 'session', 'apply', id, '--dry-run'));
    assert.deepEqual([dry.applied, dry.plan.state], [false, 'ready']);
    const [repository] = dry.plan.repositories;
    assert.deepEqual(
      [
        repository?.foundBy,
        repository?.folder,
        repository?.changes.map(({ kind, path }) => `${kind} ${path}`),
      ],
      ['commit', realpathSync(bob.folder), ['change a.txt', 'add new.txt']],
    );
    assert.equal(read(bob, 'a.txt'), 'one\ntwo\nthree\n');

    put(bob, 'b.txt', 'bob, not committed\n');
    const { undo } = outcomeSchema.parse(await applied(0, 'session', 'apply', id));
    assert.deepEqual([read(bob, 'a.txt'), read(bob, 'new.txt')], ['one\ntwo\nTHREE\n', 'new\n']);
    assert.equal(read(bob, 'b.txt'), 'bob, not committed\n');
    assert.equal(git(bob.folder, 'diff', '--cached'), '');
    const again = outcomeSchema.parse(await applied(0, 'session', 'apply', id));
    assert.deepEqual([again.applied, again.plan.state], [false, 'nothing']);

    await applied(0, 'session', 'unapply', undo?.snapshotId ?? '');
    assert.equal(read(bob, 'a.txt'), 'one\ntwo\nthree\n');
    assert.equal(existsSync(join(bob.folder, 'new.txt')), false);
    assert.equal(read(bob, 'b.txt'), 'bob, not committed\n');
  });

  test('writes nothing where both changed the same, and says so by its exit code', async () => {
    await handOver();
    put(bob, 'a.txt', 'one\ntwo\nbob\n');
    const imported = importedSchema.parse(await applied(1, 'session', 'import', file(), '--apply'));
    assert.equal(imported.apply.plan.state, 'blocked');
    assert.deepEqual(imported.apply.plan.repositories[0]?.conflicts, [
      { path: 'a.txt', reason: 'bothChanged' },
    ]);
    assert.equal(existsSync(join(bob.folder, 'new.txt')), false);
    const words = await bob.run(['session', 'apply', imported.sessionId, '--folder', bob.folder]);
    assert.match(
      words.stdout,
      /CONFLICT a\.txt: changed here and in the session, in the same lines/,
    );
    await applied(0, 'session', 'apply', imported.sessionId, '--without', 'a.txt');
    assert.deepEqual([read(bob, 'a.txt'), read(bob, 'new.txt')], ['one\ntwo\nbob\n', 'new\n']);
  });

  test('writes conflict markers only when told, and never calls that done', async () => {
    await handOver();
    put(bob, 'a.txt', 'one\ntwo\nbob\n');
    const marked = join(realpathSync(bob.folder), 'a.txt');
    const { sessionId, apply } = importedSchema.parse(
      await applied(4, 'session', 'import', file(), '--apply', '--merge'),
    );
    assert.deepEqual([apply.applied, apply.unresolved], [true, [marked]]);
    assert.match(read(bob, 'a.txt'), /<{7} here\nbob\n[^]*\nTHREE\n>{7} from the session\n/);
    assert.equal(git(bob.folder, 'status', '--porcelain'), 'UU a.txt\n?? new.txt\n');
    await applied(0, 'session', 'unapply', apply.undo?.snapshotId ?? '');
    assert.equal(read(bob, 'a.txt'), 'one\ntwo\nbob\n');
    assert.equal(git(bob.folder, 'status', '--porcelain'), ' M a.txt\n');

    const at = ['session', 'apply', sessionId, '--folder', bob.folder, '--merge'];
    const dry = await bob.run([...at, '--dry-run']);
    assert.deepEqual([dry.code, read(bob, 'a.txt')], [0, 'one\ntwo\nbob\n']);
    assert.match(dry.stdout, /MERGE BY HAND a\.txt/);
    const words = await bob.run(at);
    assert.equal(words.code, 4, words.stderr);
    assert.match(words.stdout, /^Not done yet: 1 file of 2 has conflict markers/);
  });

  test('stages what is staged in the session when told, and takes that back too', async () => {
    await handOver();
    git(ann.folder, 'add', 'a.txt');
    put(ann, 'a.txt', 'one, not staged\ntwo\nTHREE\n');
    git(ann.folder, 'add', '-N', 'new.txt');
    await ann.json('capture', '--folder', ann.folder);
    const list = z
      .object({ sessions: z.array(z.object({ id: z.string() })) })
      .parse(await ann.json('session', 'list'));
    await ann.json('session', 'export', list.sessions[0]?.id ?? '', '--output', file(), '--force');
    put(bob, 'b.txt', 'staged by Bob\n');
    git(bob.folder, 'add', 'b.txt');
    const { sessionId } = z
      .object({ sessionId: z.string() })
      .parse(await applied(0, 'session', 'import', file()));
    const at = ['session', 'apply', sessionId, '--folder', bob.folder];
    assert.match((await bob.run([...at, '--dry-run'])).stdout, /1 file staged there; --staged/);
    const { undo } = outcomeSchema.parse(
      await applied(0, 'session', 'apply', sessionId, '--staged'),
    );
    const status = (): string => git(bob.folder, 'status', '--porcelain');
    assert.equal(status(), 'MM a.txt\nM  b.txt\n?? new.txt\n');
    assert.equal(git(bob.folder, 'show', ':a.txt'), 'one\ntwo\nTHREE\n');
    await applied(0, 'session', 'unapply', undo?.snapshotId ?? '');
    assert.equal(status(), 'M  b.txt\n');
    assert.equal(git(bob.folder, 'show', ':b.txt'), 'staged by Bob\n');
  });

  test('puts nothing back once a file was changed since', async () => {
    await handOver();
    const { apply } = importedSchema.parse(
      await applied(0, 'session', 'import', file(), '--apply'),
    );
    put(bob, 'new.txt', 'bob went on\n');
    const run = await bob.run(at('session', 'unapply', apply.undo?.snapshotId ?? ''));
    assert.equal(run.code, 1);
    assert.match(run.stderr, /changedSince/);
    assert.deepEqual(
      [read(bob, 'a.txt'), read(bob, 'new.txt')],
      ['one\ntwo\nTHREE\n', 'bob went on\n'],
    );
  });

  test('fetches a missing commit only when told, from the remote that both have', async () => {
    await handOver(false);
    const { sessionId, apply } = importedSchema.parse(
      await applied(1, 'session', 'import', file(), '--apply'),
    );
    assert.deepEqual(
      apply.plan.repositories.map(({ state }) => state),
      ['noCommit'],
    );
    const refs = git(bob.folder, 'for-each-ref');
    await applied(0, 'session', 'apply', sessionId, '--fetch');
    assert.equal(read(bob, 'a.txt'), 'one\ntwo\nTHREE\n');
    assert.equal(git(bob.folder, 'for-each-ref'), refs, 'no branch moved');
    assert.equal(existsSync(join(bob.folder, '.git', 'FETCH_HEAD')), false);
  });

  test('asks for the folder where it is not known, by exit code', async () => {
    await handOver();
    const other = new TestUser(cli);
    try {
      const run = await other.run([
        'session',
        'import',
        file(),
        '--folder',
        other.folder,
        '--apply',
        '--json',
      ]);
      const { apply, sessionId } = importedSchema.parse(JSON.parse(run.stdout));
      assert.deepEqual([run.code, apply.plan.repositories[0]?.state], [1, 'noFolder']);
      const out = await other.run([
        ...['session', 'apply', sessionId, '--folder', other.folder],
        ...['--map', `work=${bob.folder}`, '--json'],
      ]);
      assert.equal(outcomeSchema.parse(JSON.parse(out.stdout)).applied, true, out.stderr);
      assert.equal(read(bob, 'new.txt'), 'new\n');
      const left = await other.run([
        'session',
        'apply',
        sessionId,
        '--folder',
        other.folder,
        '--map',
        'work=-',
      ]);
      assert.equal(left.code, 0, left.stderr);
    } finally {
      other.remove();
    }
  });
});
