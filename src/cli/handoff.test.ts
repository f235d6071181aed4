import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { buildCli, git, TestUser } from './testCli.js';

const sessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      threads: z.number(),
      snapshots: z.number(),
      origin: z.object({ from: z.string().optional(), trust: z.string() }).optional(),
    }),
  ),
});
const importedSchema = z.object({
  outcome: z.string(),
  sessionId: z.string(),
  added: z.object({ snapshots: z.number(), threads: z.number(), records: z.number() }),
});
const exportedSchema = z.object({
  bytes: z.number(),
  records: z.number(),
  redaction: z.object({ leftOut: z.array(z.object({ what: z.string(), reason: z.string() })) }),
});
const failedSchema = z.object({ error: z.object({ reason: z.string() }) });

/** A value that rules find, unlike any other. */
const secret = ['ghp', 'Zk3xQ9vB7nW2mT5rY8pL4cJ6hG1fD0sA2kVq'].join('_');

suite('handing a session over by the command line', function () {
  this.timeout(600_000);
  let cli: string;
  let ann: TestUser;
  let bob: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(() => {
    ann = new TestUser(cli);
    bob = new TestUser(cli);
  });
  teardown(() => {
    ann.remove();
    bob.remove();
  });

  /** Ann's work: a commit, a change, a new file, one with a secret, a conversation. */
  const work = async (): Promise<string> => {
    git(ann.folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(ann.folder, 'a.txt'), 'one\n');
    git(ann.folder, 'add', '.');
    git(ann.folder, 'commit', '-q', '-m', 'first');
    writeFileSync(join(ann.folder, 'a.txt'), 'one\ntwo\n');
    writeFileSync(join(ann.folder, 'new.txt'), 'new\n');
    writeFileSync(join(ann.folder, 'deploy.sh'), `curl -H "Authorization: Bearer ${secret}"\n`);
    ann.claude(`Fix the login page with ${secret}`);
    await ann.json('capture', '--folder', ann.folder);
    return sessionOf(ann);
  };
  const list = async (user: TestUser) =>
    sessionsSchema.parse(await user.json('session', 'list')).sessions;
  const sessionOf = async (user: TestUser): Promise<string> => (await list(user))[0]?.id ?? '';
  const file = (): string => join(ann.home, 'session.keepthread');
  const exported = async (...args: readonly string[]) =>
    exportedSchema.parse(
      await ann.json('session', 'export', await sessionOf(ann), '--output', file(), ...args),
    );
  const imported = async (...args: readonly string[]) =>
    importedSchema.parse(
      await bob.json('session', 'import', file(), '--folder', bob.folder, ...args),
    );

  test('brings it whole to another user, once however often, with the mark of its sender', async () => {
    await work();
    await exported('--author', 'Ann');
    const first = await imported();
    assert.deepEqual([first.outcome, first.added.records], ['new', 2]);
    const again = await imported();
    assert.deepEqual(again, {
      outcome: 'unchanged',
      sessionId: first.sessionId,
      added: { snapshots: 0, threads: 0, records: 0 },
    });
    const [session, ...others] = await list(bob);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [session?.status, session?.threads, session?.snapshots, session?.origin],
      ['paused', 1, 1, { from: 'Ann', trust: 'unverified' }],
    );
    assert.match(session?.title ?? '', /^Fix the login page with \[REDACTED/);
  });

  test('takes the sender’s fields by name, and says which names there are before anything is taken', async () => {
    await work();
    await exported();
    for (const wrong of ['tags', 'title,', 'title,other', file()]) {
      const run = await bob.run(['session', 'import', file(), '--take-theirs', wrong]);
      assert.equal(run.code, 2, wrong);
      assert.match(run.stderr, /one or more of title,goal,status/);
    }
    assert.deepEqual(await list(bob), []);
    assert.equal((await imported('--take-theirs', 'title,goal')).outcome, 'new');
    assert.equal((await imported('--take-theirs')).outcome, 'unchanged');
  });

  test('adds what is new when a newer file comes, and nothing of an older one', async () => {
    await work();
    await exported();
    const old = readFileSync(file());
    await imported();
    ann.claude('And the logout page');
    await ann.json('capture', '--folder', ann.folder);
    await exported('--force');
    const more = await imported();
    assert.deepEqual(
      [more.outcome, more.added],
      ['updated', { snapshots: 1, threads: 1, records: 2 }],
    );
    writeFileSync(file(), old);
    assert.equal((await imported()).outcome, 'unchanged');
    assert.equal((await list(bob))[0]?.threads, 2);
  });

  test('lets no secret out: not in the file, not by way of the files, not in the other store', async () => {
    await work();
    const { redaction } = await exported();
    assert.deepEqual(redaction.leftOut, [{ what: 'deploy.sh', reason: 'secrets' }]);
    await imported();
    const dump = await bob.run(['session', 'show', await sessionOf(bob), '--json']);
    for (const text of [dump.stdout, ...texts(bob.store), readFileSync(file(), 'latin1')]) {
      assert.ok(!text.includes(secret));
    }
    const asIs = await exported('--force', '--files-with-secrets');
    assert.deepEqual(asIs.redaction.leftOut, []);
  });

  test('writes for its owner only, and over nothing unless told', async () => {
    await work();
    await exported();
    if (process.platform !== 'win32') assert.equal(statSync(file()).mode & 0o777, 0o600);
    const run = await ann.run([
      ...['session', 'export', await sessionOf(ann)],
      ...['--output', file(), '--json'],
    ]);
    assert.equal(run.code, 1);
    assert.equal(failedSchema.parse(JSON.parse(run.stderr)).error.reason, 'fileExists');
  });

  test('says what is wrong with a file, by exit code too, and keeps nothing of it', async () => {
    await work();
    await exported();
    const whole = readFileSync(file());
    const outcomes: [string, Buffer, string, number][] = [
      ['cut', whole.subarray(0, -20), 'damaged', 3],
      ['changed', Buffer.concat([whole.subarray(0, 300), whole.subarray(301)]), 'damaged', 3],
      ['other', Buffer.from('PK\u0003\u0004 a zip\n'), 'handoffRefused', 1],
      ['empty', Buffer.alloc(0), 'handoffRefused', 1],
    ];
    for (const [name, bytes, reason, code] of outcomes) {
      writeFileSync(file(), bytes);
      for (const command of ['verify', 'import']) {
        const run = await bob.run(['session', command, file(), '--json']);
        assert.equal(failedSchema.parse(JSON.parse(run.stderr)).error.reason, reason, name);
        assert.equal(run.code, code, name);
      }
    }
    assert.deepEqual(await list(bob), []);
    assert.deepEqual(readdirSync(join(bob.store, 'quarantine')), []);
  });

  test('says how large it would be and what it would mask, without writing or naming any of it', async () => {
    await work();
    const run = await ann.run([
      ...['session', 'export', await sessionOf(ann), '--output', file(), '--dry-run', '--json'],
    ]);
    const { bytes, findings } = z
      .object({ bytes: z.number(), findings: z.array(z.object({ kind: z.string() })) })
      .parse(JSON.parse(run.stdout));
    assert.ok(bytes > 0 && findings.length > 0);
    assert.ok(!run.stdout.includes(secret) && !run.stderr.includes(secret));
    assert.equal(existsSync(file()), false);
  });

  test('takes only what was asked for', async () => {
    await work();
    const bare = await exported('--no-files');
    assert.ok(bare.redaction.leftOut.every(({ reason }) => reason === 'notAsked'));
    ann.claude('Another one');
    await ann.json('capture', '--folder', ann.folder);
    const snapshots = z
      .object({ snapshots: z.array(z.object({ id: z.string() })) })
      .parse(await ann.json('session', 'show', await sessionOf(ann))).snapshots;
    const oldest = snapshots.at(-1)?.id ?? '';
    assert.equal((await exported('--force', '--to', oldest.slice(0, 8))).records, 2);
    assert.equal((await exported('--force')).records, 4);
  });

  test('encrypted with a passphrase it is opened by that and nothing else', async () => {
    await work();
    const phrase = join(ann.home, 'phrase');
    writeFileSync(phrase, 'correct horse battery staple\n');
    await exported('--passphrase-file', phrase);
    assert.match(readFileSync(file(), 'latin1'), /^age-encryption\.org\/v1\n-> scrypt /);
    const without = await bob.run(['session', 'verify', file(), '--json']);
    assert.equal(failedSchema.parse(JSON.parse(without.stderr)).error.reason, 'handoffLocked');
    const wrong = join(ann.home, 'wrong');
    writeFileSync(wrong, 'wrong');
    const run = await bob.run(['session', 'verify', file(), '--passphrase-file', wrong, '--json']);
    assert.equal(failedSchema.parse(JSON.parse(run.stderr)).error.reason, 'handoffLocked');
    assert.equal((await imported('--passphrase-file', phrase)).outcome, 'new');
  });
});

/** Every file below a folder. */
const texts = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
