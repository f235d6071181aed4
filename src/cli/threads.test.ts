import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { sources } from '../agents/registry.js';
import { buildCli, TestUser } from './testCli.js';

const problems = z.array(z.object({ where: z.string(), message: z.string() }));
const row = z.strictObject({
  id: z.string(),
  agent: z.string(),
  nativeId: z.string(),
  title: z.string(),
  folder: z.string().nullable(),
  parent: z.string().nullable(),
  turns: z.number(),
  messages: z.number(),
  updated: z.number().nullable(),
  bytes: z.number(),
  state: z.enum(['live', 'swept', 'orphaned', 'damaged']),
  kept: z.boolean(),
  listed: z.boolean(),
  skipped: z.number(),
  problem: z.string().nullable(),
  version: z.string().nullable(),
  path: z.string().nullable(),
});
const listing = z.strictObject({
  threads: z.array(row),
  filesLookedAt: z.number(),
  projects: z.number(),
  problems,
});
const shown = z.object({
  agent: z.string(),
  nativeId: z.string(),
  title: z.string(),
  turns: z.array(z.object({ role: z.string(), parts: z.array(z.object({ kind: z.string() })) })),
  from: z.enum(['store', 'vault']),
});
const agentRow = z.object({
  agent: z.string(),
  name: z.string(),
  places: z.array(z.string()),
  lookedIn: z.array(z.string()),
  variables: z.record(z.string(), z.string()),
  version: z.string().nullable(),
  threads: z.number(),
  files: z.number(),
  problems,
});

suite('conversations on the command line', function () {
  this.timeout(900_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(() => (user = new TestUser(cli)));
  teardown(() => user.remove());

  const list = async (...args: readonly string[]) =>
    listing.parse(await user.json('thread', 'list', ...args));
  const all = async (...args: readonly string[]) => (await list('--all', ...args)).threads;
  const show = async (...args: readonly string[]) =>
    shown.parse(await user.json('thread', 'show', ...args));
  const idOf = (file: string): string => basename(file, '.jsonl');
  const folder = (name: string): string => {
    const path = join(user.home, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const subagent = (parentFile: string, id: string): string => {
    const file = join(dirname(parentFile), idOf(parentFile), 'subagents', `agent-${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const record = {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      isSidechain: true,
      agentId: id,
      sessionId: idOf(parentFile),
      cwd: user.folder,
      timestamp: new Date().toISOString(),
      message: { role: 'user', content: 'Look around' },
    };
    writeFileSync(file, `${JSON.stringify(record)}\n`);
    return file;
  };

  suite('thread list', () => {
    test('has those of a folder and of folders inside it, with what one chooses by', async () => {
      const file = user.claude('Fix the login page');
      user.claude('Inside', folder('work/inner'));
      user.claude('Elsewhere', folder('other'));
      const { threads, filesLookedAt, projects } = await list('--folder', user.folder);
      assert.deepEqual(threads.map(({ title }) => title).sort(), ['Fix the login page', 'Inside']);
      assert.ok(filesLookedAt >= 2);
      assert.equal(projects, 0);
      const found = threads.find(({ title }) => title !== 'Inside');
      assert.deepEqual(
        [found?.id, found?.folder, found?.turns, found?.messages, found?.state, found?.kept],
        [`claude-code:${idOf(file)}`, user.folder, 1, 1, 'live', false],
      );
      assert.deepEqual([found?.version, found?.path], ['2.0.0', file]);
    });

    test('has every folder with --all, and only one agent with --agent', async () => {
      user.claude('One');
      user.claude('Two', folder('other'));
      const codex = join(user.home, '.codex/sessions/2026/01/05');
      mkdirSync(codex, { recursive: true });
      const meta = { id: 'a', cwd: folder('third'), timestamp: 't' };
      writeFileSync(
        join(codex, 'rollout-2026-01-05T09-00-00-0199a213-81c0-7800-8aa1-bbab2a035a53.jsonl'),
        `${JSON.stringify({ timestamp: 't', type: 'session_meta', payload: meta })}\n`,
      );
      assert.equal((await all()).length, 3);
      assert.deepEqual(
        (await all('--agent', 'codex')).map(({ folder: where }) => where),
        [join(user.home, 'third')],
      );
    });

    test('says which is which: live, damaged, orphaned or swept', async () => {
      const states = async () =>
        Object.fromEntries((await all()).map(({ title, state }) => [title, state]));
      user.claude('Whole');
      appendFileSync(user.claude('Broken'), '{"broken\n');
      user.claude('Homeless', folder('gone'));
      const starter = user.claude('Starts a subagent');
      subagent(starter, 'a1');
      const swept = user.claude('Swept');
      await user.json('capture', '--folder', user.folder);
      rmSync(swept);
      rmSync(join(user.home, 'gone'), { recursive: true });
      assert.deepEqual(await states(), {
        Whole: 'live',
        Broken: 'damaged',
        Homeless: 'orphaned',
        'Starts a subagent': 'live',
        'Look around': 'live',
        Swept: 'swept',
      });
      // The subagent is kept when its conversation is swept, and nothing leads to it any more.
      rmSync(user.store, { recursive: true });
      rmSync(starter);
      assert.deepEqual(await states(), {
        Whole: 'live',
        Broken: 'damaged',
        Homeless: 'orphaned',
        'Look around': 'orphaned',
      });
    });

    test('shows what the vault kept of a file that was cut since', async () => {
      const file = user.claude('One');
      appendFileSync(
        file,
        '{"type":"user","uuid":"u9","message":{"role":"user","content":"Two"}}\n',
      );
      await user.json('capture', '--folder', user.folder);
      const [before] = (await list('--folder', user.folder)).threads;
      writeFileSync(file, '');
      const [after] = (await list('--folder', user.folder)).threads;
      assert.deepEqual([before?.turns, after?.turns, after?.kept], [2, 2, true]);
    });

    test('says how much was looked at when there is nothing, and what could not be read', async () => {
      const nothing = await user.run(['thread', 'list', '--folder', user.folder]);
      assert.match(nothing.stdout, /^No conversations of .*work \(0 files of agents and 0 vaults/);
      const unreadable = join(user.home, '.codex/sessions');
      mkdirSync(dirname(unreadable), { recursive: true });
      writeFileSync(unreadable, '');
      const database = join(user.home, '.local/share/opencode/opencode.db');
      mkdirSync(dirname(database), { recursive: true });
      writeFileSync(database, 'SQLite format 3\0 and then nothing');
      const { problems: told } = await list('--all');
      assert.ok(told.some(({ where }) => where === database));
    });

    test('looks into more homes when they are named, and refuses what is none', async () => {
      user.claude('Moved');
      renameSync(join(user.home, '.claude'), join(user.home, 'elsewhere'));
      assert.equal((await all()).length, 0);
      const home = `claude-code=${join(user.home, 'elsewhere')}`;
      assert.deepEqual(
        (await all('--home', home)).map(({ title }) => title),
        ['Moved'],
      );
      const run = await user.run(['thread', 'list', '--home', 'nobody=/x']);
      assert.equal(run.code, 2);
    });
  });

  suite('thread show', () => {
    test('takes what the table of conversations prints, of those that begin the same too', async () => {
      const files = ['One', 'Two', 'Three'].map((title) => user.claude(title));
      const twin = idOf(files[0] ?? '').replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      renameSync(files[1] ?? '', join(dirname(files[1] ?? ''), `${twin}.jsonl`));
      const { stdout } = await user.run(['thread', 'list', '--all']);
      const [head = '', ...rows] = stdout.split('\n\n')[0]?.split('\n') ?? [];
      assert.match(head, /^ID /);
      assert.equal(rows.length, 3);
      const titles: string[] = [];
      for (const row of rows) titles.push((await show(row.split(' ')[0] ?? '')).title);
      assert.deepEqual(titles.sort(), ['One', 'Three', 'Two']);
      const ambiguous = await user.run(['thread', 'show', twin.slice(0, 8)]);
      assert.equal(ambiguous.code, 1);
      assert.match(ambiguous.stderr, /2 conversations begin with/);
      assert.ok(ambiguous.stderr.includes(twin) && ambiguous.stderr.includes(idOf(files[0] ?? '')));
    });

    test('says so of one that its agent’s list leaves out, and so does the table', async () => {
      const sessions = join(user.home, '.continue', 'sessions');
      mkdirSync(sessions, { recursive: true });
      const id = '11110000-1111-4222-8333-444455556666';
      const history = [
        { message: { role: 'user', content: 'Lost from the list' }, contextItems: [] },
      ];
      const session = { sessionId: id, workspaceDirectory: user.folder, history };
      writeFileSync(join(sessions, `${id}.json`), JSON.stringify(session));
      writeFileSync(join(sessions, 'sessions.json'), '[]');
      const words = await user.run(['thread', 'show', id]);
      assert.match(words.stdout, /\n- Not listed by Continue\n/);
      const table = await user.run(['thread', 'list', '--all']);
      assert.match(table.stdout, / live, not listed /);
      const json = await user.run(['thread', 'show', id, '--json']);
      assert.equal((JSON.parse(json.stdout) as { listed: boolean }).listed, false);
    });

    test('shows all of it, by id, native id or as much of it as is enough', async () => {
      const id = idOf(user.claude('Fix the login page'));
      for (const name of [
        `claude-code:${id}`,
        id,
        id.slice(0, 6),
        `claude-code:${id.slice(0, 6)}`,
      ]) {
        const { agent, nativeId, title, turns, from } = await show(name);
        assert.deepEqual([agent, nativeId, title], ['claude-code', id, 'Fix the login page']);
        assert.deepEqual(
          turns.map(({ role }) => role),
          ['user', 'assistant'],
        );
        assert.equal(from, 'store');
      }
      const words = await user.run(['thread', 'show', id]);
      assert.match(words.stdout, /^# Fix the login page\n[^]*> Fix the login page[^]*Done\.\n$/);
      const json = await user.run(['thread', 'show', id, '--format', 'json']);
      assert.equal(shown.parse(JSON.parse(json.stdout)).nativeId, id);
      assert.equal((await user.run(['thread', 'show', id, '--format', 'html'])).code, 2);
    });

    test('shows a swept one from the vault', async () => {
      const file = user.claude('Swept');
      await user.json('capture', '--folder', user.folder);
      rmSync(file);
      const { title, turns, from } = await show(idOf(file));
      assert.deepEqual([title, turns.length, from], ['Swept', 2, 'vault']);
    });

    test('one that is not there, or could be several, is an error that says what to do', async () => {
      user.claude('One');
      user.claude('Two');
      const missing = await user.run(['thread', 'show', 'nothing']);
      assert.match(missing.stderr, /no conversation nothing \(2 files looked at\)\.\nRun /);
      const ambiguous = await user.run(['thread', 'show', 'claude-code:']);
      assert.match(ambiguous.stderr, /2 conversations begin with .*\nUse one of: claude-code:/);
      assert.deepEqual([missing.code, ambiguous.code], [1, 1]);
    });
  });

  suite('agents', () => {
    test('says of every agent where it was found, in which version and how much', async () => {
      user.claude('One');
      const { agents } = z.object({ agents: z.array(agentRow) }).parse(await user.json('agents'));
      assert.deepEqual(
        agents.map(({ agent }) => agent),
        sources.map(({ agent }) => agent),
      );
      const claude = agents.find(({ agent }) => agent === 'claude-code');
      assert.deepEqual(
        [claude?.places, claude?.version, claude?.threads, claude?.files, claude?.problems],
        [[join(user.home, '.claude/projects')], '2.0.0', 1, 1, []],
      );
      for (const { agent, lookedIn } of agents) assert.ok(lookedIn.length > 0, agent);
    });

    test('names the variables that moved an agent', async () => {
      user.claude('One');
      renameSync(join(user.home, '.claude'), join(user.home, 'config'));
      const { agents } = z
        .object({ agents: z.array(agentRow) })
        .parse(await user.json('agents', '--home', `claude-code=${join(user.home, 'config')}`));
      assert.equal(agents.find(({ agent }) => agent === 'claude-code')?.threads, 1);
      const run = await user.run(['agents', '--json'], {
        env: { CLAUDE_CONFIG_DIR: join(user.home, 'config') },
      });
      const moved = z.object({ agents: z.array(agentRow) }).parse(JSON.parse(run.stdout));
      const claude = moved.agents.find(({ agent }) => agent === 'claude-code');
      assert.deepEqual(claude?.variables, { CLAUDE_CONFIG_DIR: join(user.home, 'config') });
      assert.equal(claude.threads, 1);
    });

    test('says in words what was not found, too', async () => {
      user.claude('One');
      const { stdout } = await user.run(['agents']);
      assert.match(stdout, /claude-code +2\.0\.0 +1/);
      assert.match(stdout, /Not found: .*Codex/);
    });
  });
});
