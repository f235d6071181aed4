import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { decodeHandoff, type FileEnd } from '../../src/handoff/decode.js';
import { encodeHandoff } from '../../src/handoff/encode.js';
import { plainOf, writeStream } from '../../src/handoff/handoffFile.js';
import { assertAccepted } from './accepted.js';
import { ask, install, whyNot } from './npmProgram.js';
import { closeLab, openLab, type ProgramLab } from './programLab.js';
import { claudeCode } from './programs/claudeCode.js';
import { doWork } from './scriptedWork.js';

/*
 * Two machines, each with a user's folder, a store and a clone of its own: the real program works on one, the built
 * command line sends the session, and the real program goes on with it on the other.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);

const sessionsSchema = z.object({
  sessions: z.array(z.object({ id: z.string(), title: z.string() })),
});
const shownSchema = z.object({ threads: z.array(z.object({ id: z.string(), turns: z.number() })) });
const keySchema = z.object({ recipient: z.string() });
const importedSchema = z.object({
  outcome: z.string(),
  sessionId: z.string(),
  inspection: z.object({
    author: z.object({ name: z.string().optional(), signature: z.string() }),
    files: z.array(z.object({ path: z.string() })),
    bases: z.array(z.object({ folder: z.string().optional(), isHere: z.boolean().optional() })),
  }),
});
const appliedSchema = z.object({
  applied: z.boolean(),
  undo: z.object({ snapshotId: z.string() }),
});
const continuedSchema = z.object({
  command: z.array(z.string()),
  files: z.array(z.string()),
  cwd: z.string(),
});

const windows = String.raw`C:\Users\anna\proj`;
/** The same once it was shared: whose folder it is goes nowhere. */
const shared = String.raw`~\proj`;

suite('a session that goes on with the real program on another machine', function () {
  this.timeout(900_000);
  let dist: string;
  let ann: ProgramLab;
  let bob: ProgramLab;

  suiteSetup(async function () {
    this.timeout(600_000);
    const reason = whyNot(claudeCode.program);
    if (reason !== undefined) {
      console.log(`skipped: ${reason}`);
      this.skip();
    }
    await install(claudeCode.program);
    dist = await realpath(await mkdtemp(join(tmpdir(), 'keepthread-dist-')));
    await execute(process.execPath, ['esbuild.mjs', '--outdir', dist], { cwd: root });
  });
  suiteTeardown(async () => {
    if (dist) await rm(dist, { recursive: true });
  });
  setup(async () => {
    ann = await openLab(claudeCode, 'home/wörk 项目');
    bob = await openLab(claudeCode, 'home/code/another clone');
  });
  teardown(async () => {
    await closeLab(ann);
    await closeLab(bob);
  });

  /** Runs the built command line as the user of a machine; fails when it does. */
  const cli = async ({ run, base }: ProgramLab, ...args: readonly string[]): Promise<unknown> => {
    const { PATH, SystemRoot } = process.env;
    const env = {
      ...{ PATH, SystemRoot, HOME: run.home, USERPROFILE: run.home },
      KEEPTHREAD_HOME: join(base, 'store'),
    };
    const { stdout } = await execute(process.execPath, [join(dist, 'cli.js'), ...args, '--json'], {
      cwd: base,
      env,
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(stdout);
  };

  const git = async (cwd: string, ...args: readonly string[]): Promise<void> => {
    await execute('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.invalid', ...args], { cwd });
  };

  /** Ann's work, uncommitted and with a real conversation, as a session; answers with its id. */
  const work = async (): Promise<string> => {
    const { run, base, endpoint } = ann;
    await git(run.cwd, 'init', '-q', '-b', 'main');
    await writeFile(join(run.cwd, 'a.txt'), 'one\n');
    await git(run.cwd, 'add', '.');
    await git(run.cwd, 'commit', '-q', '-m', 'first');
    await git(base, 'clone', '-q', '--bare', run.cwd, 'origin.git');
    await git(run.cwd, 'remote', 'add', 'origin', join(base, 'origin.git'));
    await git(bob.base, 'clone', '-q', join(base, 'origin.git'), bob.run.cwd);
    await doWork(claudeCode, ann);
    await writeFile(join(run.cwd, 'a.txt'), 'one\ntwo\n');
    endpoint.play([
      { text: `That is ${windows}\\src\\a.ts`, tools: [claudeCode.shell(`echo '${windows}'`)] },
      { text: 'Seen.' },
    ]);
    await ask(run, `Look at ${windows}\\src\\a.ts`, 'latest');
    await cli(ann, 'capture', '--folder', run.cwd);
    const { sessions } = sessionsSchema.parse(await cli(ann, 'session', 'list'));
    assert.equal(sessions.length, 1);
    return sessions[0]?.id ?? '';
  };

  /** Lets Bob's program go on, and looks at what it sends to its model. */
  const goOn = async (sessionId: string): Promise<void> => {
    const { run, endpoint } = bob;
    const { threads } = shownSchema.parse(await cli(bob, 'session', 'show', sessionId));
    const [thread, ...others] = threads;
    assert.deepEqual([thread?.turns, others.length], [3, 0]);
    const { command, cwd, files } = continuedSchema.parse(
      await cli(bob, 'continue', thread?.id ?? '', '--in', 'claude-code', '--folder', run.cwd),
    );
    assert.equal(cwd, run.cwd);
    for (const file of files) {
      assert.equal(dirname(file), join(run.home, '.claude/projects', encodeFolder(run.cwd)));
      // What was allowed on one machine is not allowed on another.
      assert.doesNotMatch(await readFile(file, 'utf8'), /permissionMode|allowedTools/);
    }
    endpoint.play([{ text: 'I remember.' }]);
    await ask(run, 'What did we do?', command.slice(1));
    const [request] = endpoint.requests;
    assert.ok(request);
    assertAccepted(request);
    const sent = JSON.stringify(request.messages);
    let at = 0;
    for (const one of [
      'Do the first thing: 写一个文件',
      'Ich schaue nach 👀',
      'echo 你好',
      '你好',
      'echo one',
      'echo two',
      'seq 1 20000',
      'Output too large',
      'exit 3',
      'Exit code 3',
      'Writing it.',
      'notes.txt',
      '完成 ✅',
      'Now make it green',
      'Changing it.',
      'It is green now.',
      `Look at ${shared}\\src\\a.ts`,
      `That is ${shared}\\src\\a.ts`,
      `echo '${shared}'`,
      'Seen.',
      'What did we do?',
    ]) {
      const json = JSON.stringify(one).slice(1, -1);
      const found = sent.indexOf(json, at);
      const rest = sent.slice(at, at + 1000);
      assert.ok(found >= 0, `${one} was not sent, or not in its place: ${rest}`);
      at = found + json.length;
    }
    assert.ok(!sent.includes(ann.base), 'a path of the other machine was sent');
    const [after] = (await bob.find()).threads.filter(({ nativeId }) => command.includes(nativeId));
    assert.ok(after, 'the program went on in another session');
    assert.equal((await bob.parsed(after)).thread().cwd, run.cwd);
  };

  test('brings all of it, encrypted for one person and signed, to whoever holds the key', async () => {
    const id = await work();
    const { recipient } = keySchema.parse(await cli(bob, 'key', 'new', '--name', 'Bob'));
    await cli(ann, 'key', 'new', '--name', 'Ann');
    const file = join(ann.base, 'session.keepthread');
    const locked = ['--recipient', recipient, '--sign'];
    await cli(ann, 'session', 'export', id, '--output', file, ...locked);
    const bytes = await readFile(file, 'latin1');
    assert.ok(bytes.startsWith('age-encryption.org/v1'));
    const take = async () =>
      importedSchema.parse(await cli(bob, 'session', 'import', file, '--folder', bob.run.cwd));
    const { outcome, sessionId, inspection } = await take();
    assert.deepEqual([outcome, inspection.author], ['new', { name: 'Ann', signature: 'unknown' }]);
    assert.deepEqual(inspection.files.map(({ path }) => path).sort(), ['a.txt', 'notes.txt']);
    assert.deepEqual(inspection.bases, [{ folder: bob.run.cwd, isHere: true }]);
    // Nothing of it is anywhere but in the store until it is asked for.
    assert.deepEqual((await readdir(bob.run.cwd)).sort(), ['.git', 'a.txt']);
    const { applied, undo } = appliedSchema.parse(
      await cli(bob, 'session', 'apply', sessionId, '--folder', bob.run.cwd),
    );
    assert.equal(applied, true);
    const there = async (name: string): Promise<string> =>
      readFile(join(bob.run.cwd, name), 'utf8');
    assert.deepEqual([await there('a.txt'), await there('notes.txt')], ['one\ntwo\n', 'green\n']);
    await goOn(sessionId);
    assert.equal((await take()).outcome, 'unchanged');
    await cli(bob, 'session', 'unapply', undo.snapshotId, '--folder', bob.run.cwd);
    assert.deepEqual((await readdir(bob.run.cwd)).sort(), ['.git', 'a.txt']);
    assert.equal(await there('a.txt'), 'one\n');
  });

  test('brings all of it from a machine with other paths', async () => {
    const id = await work();
    const file = join(ann.base, 'session.keepthread');
    await cli(ann, 'session', 'export', id, '--output', file);
    const other = join(ann.base, 'windows.keepthread');
    await rewrite(file, other, (text) =>
      text
        .replaceAll(`~/${basename(ann.run.cwd)}/`, `${windows}\\`)
        .replaceAll(`~/${basename(ann.run.cwd)}`, windows),
    );
    const { sessionId } = importedSchema.parse(
      await cli(bob, 'session', 'import', other, '--folder', bob.run.cwd),
    );
    const { threads } = shownSchema.parse(await cli(bob, 'session', 'show', sessionId));
    const nowhere = cli(bob, 'continue', threads[0]?.id ?? '', '--in', 'claude-code');
    await assert.rejects(nowhere, /folderMissing|noFolder/);
    await goOn(sessionId);
  });
});

/** The same session with every text changed, hashes and all. */
async function rewrite(from: string, to: string, change: (text: string) => string): Promise<void> {
  const entries: object[] = [];
  const reading = decodeHandoff(plainOf(from));
  let end: FileEnd | undefined;
  while (end === undefined) {
    const next = await reading.next();
    if (next.done === true) end = next.value;
    else entries.push(changed(next.value.value, change) as object);
  }
  const { manifest } = end;
  await writeStream(
    to,
    encodeHandoff(entries, () => manifest),
  );
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') {
    // A record is JSON within JSON.
    const isRecord = value.startsWith('{') && value.endsWith('}');
    return isRecord ? JSON.stringify(changed(JSON.parse(value), change)) : change(value);
  }
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, changed(item, change)]),
  );
}
