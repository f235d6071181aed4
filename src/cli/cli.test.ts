import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { version } from '../../package.json';
import { sessionSummarySchema, snapshotSummarySchema } from '../core/model/session.js';
import { buildCli, TestUser } from './testCli.js';

const problems = z.array(z.object({ where: z.string(), message: z.string() }));
const captured = z.object({
  projectKey: z.string(),
  sessionId: z.string(),
  snapshotId: z.string(),
  stored: z.boolean(),
  filesLookedAt: z.number(),
  threads: z.number(),
  recordsAdded: z.number(),
  bytesRead: z.number(),
  problems,
});
const listed = z.object({
  sessions: z.array(sessionSummarySchema),
  projects: z.number(),
  problems,
});
const shown = z.object({
  session: sessionSummarySchema,
  snapshots: z.array(snapshotSummarySchema),
  threads: z.array(z.object({ agent: z.string(), title: z.string(), turns: z.number() })),
  problems,
});
const failed = z.object({
  error: z.object({ reason: z.string(), message: z.string(), next: z.string().optional() }),
});

/** Characters that move a cursor, change a title or turn the text around; a line end is ours. */
const steering = /(?!\n)[\p{Cc}\u202e\u2066]/u;

suite('the command line', function () {
  this.timeout(900_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(() => (user = new TestUser(cli)));
  teardown(() => user.remove());

  const capture = async (...args: readonly string[]) =>
    captured.parse(await user.json('capture', '--folder', user.folder, ...args));
  const list = async (...args: readonly string[]) =>
    listed.parse(await user.json('session', 'list', ...args));

  suite('how it is called', () => {
    const exits = (args: readonly string[], code: number, out: RegExp, error: RegExp): void => {
      test(`keepthread ${args.join(' ')}`, async () => {
        const run = await user.run(args);
        assert.match(run.stdout, out);
        assert.match(run.stderr, error);
        assert.equal(run.code, code);
      });
    };
    const nothing = /^$/;
    exits(['--help'], 0, /capture.*Exit codes/s, nothing);
    exits(['session', 'show', '--help'], 0, /JSON: \{session/, nothing);
    exits(['--version'], 0, new RegExp(`^${version}\n$`), nothing);
    exits([], 2, nothing, /Usage: keepthread/);
    exits(['session'], 2, nothing, /Usage: keepthread session/);
    exits(['sesion'], 2, nothing, /unknown command 'sesion'.*Did you mean session/s);
    exits(['session', 'list', 'more'], 2, nothing, /too many arguments/);
    exits(['session', 'show'], 2, nothing, /missing required argument 'id'/);
    exits(['capture', '--folder', ''], 2, nothing, /It is empty/);
    exits(['session', 'show', ''], 2, nothing, /It is empty/);
    exits(['session', 'list', '--bogus'], 2, nothing, /unknown option '--bogus'/);
    exits(['session', 'list'], 0, /^No sessions in .*store \(0 projects looked at\)\.\n$/, nothing);
    exits(['session', 'show', 'x'], 1, nothing, /^Error: There is no session x\.\nRun /);
    exits(['capture', '--folder', '/no/where'], 1, nothing, /^Error: There is no folder/);
    exits(['thread', 'inspect', '/no/where'], 1, nothing, /^Error: Cannot read/);
    exits(['thread', 'inspect', 'package.json', '--agent', 'x'], 1, nothing, /There is no agent/);

    test('errors are one JSON object on stderr when asked for, and stdout stays empty', async () => {
      const wrong: readonly (readonly [readonly string[], string, number])[] = [
        [['session', 'show', 'x', '--json'], 'sessionMissing', 1],
        [['--json', 'bogus'], 'usage', 2],
        [['--json', 'thread'], 'usage', 2],
      ];
      for (const [args, reason, code] of wrong) {
        const run = await user.run(args);
        assert.equal(failed.parse(JSON.parse(run.stderr)).error.reason, reason);
        assert.deepEqual([run.stdout, run.code], ['', code]);
      }
    });
  });

  suite('saving without VS Code', () => {
    test('brings conversations and changes into a session that can be listed and shown', async () => {
      user.claude('Fix the login page');
      const saved = await capture();
      assert.deepEqual([saved.stored, saved.threads, saved.problems], [true, 1, []]);
      assert.ok(saved.recordsAdded > 0 && saved.filesLookedAt > 0);

      const { sessions, projects } = await list();
      assert.equal(projects, 1);
      assert.deepEqual(
        sessions.map(({ id, title, threads, agents }) => ({ id, title, threads, agents })),
        [{ id: saved.sessionId, title: 'Fix the login page', threads: 1, agents: ['claude-code'] }],
      );

      const prefix = saved.sessionId.slice(0, 6);
      const { session, snapshots, threads } = shown.parse(
        await user.json('session', 'show', prefix),
      );
      assert.equal(session.id, saved.sessionId);
      assert.deepEqual(
        snapshots.map(({ id, reason }) => [id, reason]),
        [[saved.snapshotId, 'capture']],
      );
      assert.deepEqual(
        threads.map(({ agent, title, turns }) => [agent, title, turns]),
        [['claude-code', 'Fix the login page', 1]],
      );
      const words = await user.run(['session', 'show', prefix]);
      assert.match(words.stdout, /^Fix the login page\n/);
      assert.match(words.stdout, /claude-code {2}\d{4}-\d\d-\d\d \d\d:\d\d +1 {2}/);
    });

    test('goes on with the same session, and stores nothing twice', async () => {
      user.claude('One');
      const first = await capture();
      const again = await capture();
      assert.deepEqual(
        [again.sessionId, again.snapshotId, again.stored, again.recordsAdded],
        [first.sessionId, first.snapshotId, false, 0],
      );
      user.claude('Two');
      const more = await capture();
      assert.deepEqual([more.sessionId, more.stored, more.threads], [first.sessionId, true, 2]);
      const [session] = (await list()).sessions;
      assert.deepEqual([session?.snapshots, session?.threads], [2, 2]);
    });

    test('keeps folders apart, and lists them all', async () => {
      const other = join(user.home, 'other');
      mkdirSync(other);
      const one = await capture();
      const two = captured.parse(await user.json('capture', '--folder', other));
      assert.notEqual(one.projectKey, two.projectKey);
      const { sessions, projects } = await list();
      assert.equal(projects, 2);
      assert.deepEqual(sessions.map(({ id }) => id).sort(), [one.sessionId, two.sessionId].sort());
    });

    test('keeps a store where --store says, before KEEPTHREAD_HOME', async () => {
      const store = join(user.home, 'elsewhere');
      await capture('--store', store);
      assert.equal((await list()).sessions.length, 0);
      assert.equal((await list('--store', store)).sessions.length, 1);
    });

    test('only writes into the store', async () => {
      const file = user.claude('One');
      writeFileSync(join(user.folder, 'a.txt'), 'a');
      await capture();
      await user.run(['session', 'list']);
      await user.run(['thread', 'inspect', file]);
      assert.deepEqual(readdirSync(user.home).sort(), ['.claude', 'store', 'work']);
      assert.deepEqual(readdirSync(user.folder), ['a.txt']);
    });
  });

  suite('what is damaged', () => {
    test('in the store costs itself only, and is said', async () => {
      await capture();
      const { projectKey } = await capture();
      const packs = join(user.store, 'projects', projectKey, 'packs');
      for (const pack of readdirSync(packs)) appendFileSync(join(packs, pack), 'not a frame');
      writeFileSync(join(packs, 'foreign.pack'), 'not a pack');
      const run = await user.run(['session', 'list']);
      assert.match(run.stdout, /active/);
      assert.match(run.stderr, /^Warning: /);
      assert.equal(run.code, 0);
      assert.equal((await list()).problems.length, run.stderr.trim().split('\n').length);
    });

    test('in a transcript is said with its place, and the rest is counted', async () => {
      const file = user.claude('One');
      appendFileSync(file, '{"broken\n');
      const run = await user.run(['thread', 'inspect', file]);
      assert.match(run.stdout, /Line 3 \(byte \d+\) could not be read: notJson\./);
      assert.match(run.stdout, /User turns +1\n/);
      assert.equal(run.code, 0);
      const found = z
        .object({ agent: z.string(), userTurns: z.number(), malformed: z.number() })
        .parse(await user.json('thread', 'inspect', file));
      assert.deepEqual(found, { agent: 'claude-code', userTurns: 1, malformed: 1 });
    });

    test('a store that cannot be looked into is an error that says what to do', async () => {
      const store = join(user.home, 'file');
      writeFileSync(store, '');
      const run = await user.run(['session', 'list', '--store', store]);
      assert.match(
        run.stderr,
        /^Error: Cannot read .*file.*\nChoose another folder with --store\.\n$/,
      );
      assert.equal(run.code, 1);
    });
  });

  suite('a terminal', () => {
    test('is not steered by hostile titles, in words or in JSON', async () => {
      const hostile =
        '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202Eevil\r\u0000\u2066 $(touch x)\ntitle';
      const file = user.claude(hostile);
      const { sessionId } = await capture();
      for (const args of [
        ['session', 'list'],
        ['session', 'show', sessionId],
        ['thread', 'inspect', file],
        ['thread', 'list', '--all'],
        ['thread', 'show', basename(file, '.jsonl')],
        ['agents'],
        ['capture', '--folder', user.folder],
      ]) {
        for (const form of [[], ['--json']]) {
          const { stdout, stderr, code } = await user.run([...args, ...form]);
          assert.equal(code, 0);
          assert.doesNotMatch(stdout + stderr, steering);
        }
      }
      assert.match((await user.run(['session', 'list'])).stdout, /evil.*title/);
    });

    test('may go away early: nothing is lost and nothing is complained of', async () => {
      user.claude('One');
      const run = await user.run(['capture', '--folder', user.folder], { closeStdout: true });
      assert.deepEqual([run.code, run.stderr], [0, '']);
      assert.equal((await list()).sessions.length, 1);
      const help = await user.run(['--help'], { closeStdout: true });
      assert.deepEqual([help.code, help.stderr], [0, '']);
    });
  });
});
