import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { createClaudeCode } from '../../src/agents/claude-code/source.js';
import { inspectFile } from '../../src/agents/inspect.js';
import type { FoundThread } from '../../src/agents/source.js';
import type { Cursor } from '../../src/core/model/records.js';
import {
  askClaude,
  claudeVersion,
  installClaude,
  startClaude,
  whyNoClaude,
  type ClaudeRun,
} from './claudeProgram.js';
import { show } from './claudeThreads.js';
import { keepTranscript } from './keepTranscript.js';
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.js';
import { readThread } from './readThread.js';
import { treeHash } from './treeHash.js';

/** The real Claude Code does a scripted piece of work; our source must find exactly that. */
suite('Claude Code, the real program', () => {
  let program: string;
  let base: string;
  let endpoint: ModelEndpoint;
  let run: ClaudeRun;

  suiteSetup(async function () {
    const reason = whyNoClaude();
    if (reason !== undefined) {
      console.log(`skipped: ${reason}`);
      this.skip();
    }
    program = await installClaude();
  });

  setup(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'claude-')));
    endpoint = await startModelEndpoint();
    run = await inFolder('work');
  });

  teardown(async () => {
    await endpoint.close();
    await rm(base, { recursive: true });
  });

  const inFolder = async (name: string): Promise<ClaudeRun> => {
    const cwd = join(base, name);
    const home = join(base, 'home');
    await mkdir(cwd, { recursive: true });
    await mkdir(home, { recursive: true });
    return { program, home, cwd, endpoint: endpoint.url };
  };

  const source = createClaudeCode();
  const find = (folder = run.cwd) =>
    source.find({ folders: [folder], homes: [], env: {}, userHome: run.home });
  const findOne = async (folder?: string): Promise<FoundThread> => {
    const { threads, problems } = await find(folder);
    assert.deepEqual([threads.length, problems], [1, []]);
    return threads[0] ?? assert.fail();
  };
  const parsed = (found: FoundThread) => readThread(source, found);

  /** Two prompts: thinking, a shell tool, parallel calls, a failing tool, writing and editing, CJK and emoji. */
  const work = async () => {
    const file = join(run.cwd, 'notes.txt');
    endpoint.play([
      {
        thinking: 'First look around.',
        text: 'Ich schaue nach 👀',
        tools: [{ name: 'Bash', input: { command: 'echo 你好', description: 'Greet' } }],
      },
      {
        tools: [
          { name: 'Bash', input: { command: 'echo one', description: 'One' } },
          { name: 'Bash', input: { command: 'echo two', description: 'Two' } },
          { name: 'Write', input: { file_path: file, content: 'red\n' } },
        ],
      },
      { tools: [{ name: 'Bash', input: { command: 'exit 3', description: 'Fail' } }] },
      { text: '完成 ✅' },
    ]);
    await askClaude(run, 'Do the first thing: 写一个文件');
    endpoint.play([
      {
        text: 'Changing it.',
        tools: [
          { name: 'Read', input: { file_path: file } },
          { name: 'Edit', input: { file_path: file, old_string: 'red', new_string: 'green' } },
        ],
      },
      { text: 'It is green now.' },
    ]);
    await askClaude(run, 'Now make it green', ['--continue']);
    assert.equal(await readFile(file, 'utf8'), 'green\n');
  };

  const expectedTurns = [
    /^user: Do the first thing: 写一个文件$/,
    /^assistant: \[First look around\.\] Ich schaue nach 👀 Bash=>你好$/,
    /^assistant: Bash=>one Bash=>two Write=>File created successfully/,
    /^assistant: Bash=>Exit code 3/,
    /^assistant: 完成 ✅$/,
    /^user: Now make it green$/,
    /^assistant: Changing it\. Read=>1\s*red[\s\S]* Edit=>The file .* has been updated/,
    /^assistant: It is green now\.$/,
  ];

  test('a piece of work is found turn by turn, and nothing in the agent’s store is touched', async () => {
    await work();
    const before = await treeHash(run.home);
    const found = await findOne();
    const parser = await parsed(found);
    const thread = parser.thread();
    const inspection = await inspectFile(found.path);
    assert.equal(await treeHash(run.home), before);

    const turns = show(thread);
    assert.equal(turns.length, expectedTurns.length, turns.join('\n'));
    for (const [at, turn] of turns.entries()) assert.match(turn, expectedTurns[at] ?? /$^/);
    assert.deepEqual([thread.cwd, parser.working], [run.cwd, false]);
    assert.equal(thread.title, 'Do the first thing: 写一个文件');
    const { sessionId, firstAt, lastAt, models, ...counts } = inspection;
    assert.equal(sessionId, found.nativeId);
    assert.equal(models.length, 1);
    assert.ok(firstAt !== null && lastAt !== null && firstAt < lastAt);
    assert.deepEqual(counts, {
      agent: 'claude-code',
      cwd: run.cwd,
      userTurns: 2,
      assistantMessages: 6,
      toolCalls: 7,
      toolResultsMatched: 7,
      toolResultsOrphan: 0,
      thinkingBlocks: 1,
      firstPrompt: 'Do the first thing: 写一个文件',
      malformed: 0,
      skipped: [],
    });
    if (process.env['KEEP_TRANSCRIPTS'] !== undefined) {
      await keepTranscript(found.path, base, `claude-code/claude-${claudeVersion}-work.jsonl`);
    }
  });

  test('our argv, started where the session was, brings every earlier turn back to the agent', async () => {
    await work();
    const { nativeId } = await findOne();
    const [command, ...args] = source.resume?.({ nativeId }) ?? [];
    assert.equal(command, 'claude');
    endpoint.play([{ text: 'I remember.' }]);
    await askClaude(run, 'What did we do?', args);
    const sent = JSON.stringify(endpoint.requests.at(-1)?.messages);
    for (const said of [
      'Do the first thing: 写一个文件',
      'Ich schaue nach 👀',
      'echo 你好',
      'echo one',
      'echo two',
      'exit 3',
      '完成 ✅',
      'Now make it green',
      'It is green now.',
      'What did we do?',
    ]) {
      assert.ok(sent.includes(said), `${said} was not sent`);
    }
    assert.equal((await findOne()).nativeId, nativeId);
  });

  test('while the agent works each record arrives once, and a killed agent leaves an open turn', async () => {
    endpoint.play([
      {
        text: 'Starting.',
        tools: [{ name: 'Bash', input: { command: 'sleep 1', description: 'Wait' } }],
      },
      { hangs: true },
    ]);
    const child = startClaude(run, 'Take your time');
    const closed = new Promise((resolve) => child.on('close', resolve));
    const parser = source.parser('');
    let records = 0;
    let cursor: Cursor | undefined;
    while (parser.thread({ turns: false }).counts.toolResultsMatched !== 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const [found] = (await find()).threads;
      if (found === undefined) continue;
      const read = await source.read(found, cursor);
      assert.equal(read.restarted, undefined);
      for (const record of read.records) parser.push(record);
      records += read.records.length;
      cursor = read.cursor;
    }
    child.kill('SIGKILL');
    await closed;
    const found = await findOne();
    records += (await source.read(found, cursor)).records.length;
    const whole = await source.read(found, undefined);
    assert.equal(records, whole.records.length);
    assert.equal(parser.working, true);
    assert.deepEqual(show(parser.thread()).slice(0, 1), ['user: Take your time']);

    endpoint.play([{ text: 'Going on.' }]);
    await askClaude(run, 'Go on', ['--resume', found.nativeId]);
    const after = await parsed(await findOne());
    assert.equal(after.working, false);
    assert.equal(show(after.thread()).at(-1), 'assistant: Going on.');
  });

  const inAFolder = (title: string, name: string) =>
    test(`${title}: its session is found where the program put it`, async () => {
      run = await inFolder(name);
      await askClaude(run, 'Hello');
      const found = await findOne();
      assert.equal(basename(dirname(found.path)), encodeFolder(run.cwd));
      assert.deepEqual((await find(join(base, 'elsewhere'))).threads, []);
      assert.equal((await findOne(base)).nativeId, found.nativeId);
    });
  inAFolder('underscores, dots, spaces and brackets', 'My_proj.v1 (x)');
  inAFolder('letters outside ASCII', 'é e\u0301 项目 🚀');
  inAFolder('a path above 200 characters', join('a'.repeat(100), 'b'.repeat(120)));
});
