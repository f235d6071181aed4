import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectFile } from '../../src/agents/inspect.js';
import { kiloCode } from '../../src/agents/kilo-code/source.js';
import { openCode } from '../../src/agents/opencode/source.js';
import type { FoundThread, Source, ThreadParser } from '../../src/agents/source.js';
import type { Cursor } from '../../src/core/model/records.js';
import { show } from './claudeThreads.js';
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.js';
import {
  ask,
  configure,
  install,
  kiloProgram,
  openCodeProgram,
  start,
  whyNot,
  type Program,
  type Run,
} from './openCodeProgram.js';
import { treeHash } from './treeHash.js';

/** The real programs do a scripted piece of work; our sources must find exactly that. */
const suiteFor = (source: Source, made: Program) =>
  suite(`${source.name}, the real program`, () => {
    let program: string;
    let base: string;
    let endpoint: ModelEndpoint;
    let run: Run;

    suiteSetup(async function () {
      const reason = whyNot();
      if (reason !== undefined) {
        console.log(`skipped: ${reason}`);
        this.skip();
      }
      program = await install(made);
    });

    setup(async () => {
      base = await realpath(await mkdtemp(join(tmpdir(), `${made.word}-`)));
      endpoint = await startModelEndpoint();
      run = {
        word: made.word,
        program,
        endpoint: endpoint.url,
        home: join(base, 'home'),
        cwd: join(base, 'work'),
      };
      await mkdir(run.cwd);
      await configure(run);
    });

    teardown(async () => {
      await endpoint.close();
      await rm(base, { recursive: true });
    });

    const look = () => source.find({ folders: [run.cwd], homes: [], env: {}, userHome: run.home });
    const find = async (): Promise<readonly FoundThread[]> => {
      const { threads, problems } = await look();
      assert.deepEqual(problems, []);
      return threads;
    };
    const findMain = async (): Promise<FoundThread> => {
      const [main, ...others] = (await find()).filter(({ parent }) => parent === undefined);
      assert.deepEqual(others, []);
      return main ?? assert.fail('no session was found');
    };
    const parsed = async (found: FoundThread): Promise<ThreadParser> => {
      const parser = source.parser(found.nativeId);
      for (const record of (await source.read(found, undefined)).records) parser.push(record);
      return parser;
    };
    /** The command line puts a prompt of several words in quotes before it keeps it. */
    const prompt = (text: string): string => `"${text}"`;

    const work = async (): Promise<void> => {
      const filePath = join(run.cwd, 'notes.txt');
      endpoint.play([
        {
          thinking: 'First look around.',
          text: 'Ich schaue nach 👀',
          tools: [{ name: 'bash', input: { command: 'echo 你好', description: 'Greet' } }],
        },
        {
          tools: [
            { name: 'bash', input: { command: 'echo one', description: 'One' } },
            { name: 'bash', input: { command: 'echo two', description: 'Two' } },
            { name: 'write', input: { filePath, content: 'red\n' } },
          ],
        },
        { tools: [{ name: 'read', input: { filePath: join(run.cwd, 'missing.txt') } }] },
        {
          tools: [
            {
              name: 'todowrite',
              input: { todos: [{ content: 'Go on', status: 'in_progress', priority: 'high' }] },
            },
          ],
        },
        { text: '完成 ✅' },
      ]);
      await ask(run, 'Do the first thing: 写一个文件');
      endpoint.play([
        {
          text: 'Changing it.',
          tools: [{ name: 'read', input: { filePath } }],
        },
        {
          tools: [{ name: 'edit', input: { filePath, oldString: 'red', newString: 'green' } }],
        },
        { text: 'It is green now.' },
      ]);
      await ask(run, 'Now make it green', ['--continue']);
      assert.equal(await readFile(filePath, 'utf8'), 'green\n');
    };

    const expectedTurns = [
      /^user: "Do the first thing: 写一个文件"$/,
      /^assistant: \[First look around\.\] Ich schaue nach 👀 bash=>你好\n$/,
      /^assistant: bash=>one\n bash=>two\n write=>Wrote file successfully/,
      /^assistant: read=>.*not found/s,
      /^assistant: todowrite=>/,
      /^assistant: 完成 ✅$/,
      /^user: "Now make it green"$/,
      /^assistant: Changing it\. read=>[\s\S]*red/,
      /^assistant: edit=>Edit applied successfully/,
      /^assistant: It is green now\.$/,
    ];

    test('a piece of work is found turn by turn, and nothing in the program’s store is touched', async () => {
      await work();
      const before = await treeHash(run.home);
      const found = await findMain();
      const parser = await parsed(found);
      const thread = parser.thread();
      const inspection = await inspectFile(found.path);
      assert.equal(await treeHash(run.home), before);

      const turns = show(thread);
      assert.equal(turns.length, expectedTurns.length, turns.join('\n'));
      for (const [at, turn] of turns.entries()) assert.match(turn, expectedTurns[at] ?? /$^/);
      assert.deepEqual([thread.cwd, parser.working], [run.cwd, false]);
      assert.equal(thread.version, made.version);
      assert.deepEqual(thread.todos, [{ text: 'Go on', state: 'doing' }]);
      const { sessionId, firstAt, lastAt, ...counts } = inspection;
      assert.equal(sessionId, found.nativeId);
      assert.ok(firstAt !== null && lastAt !== null && firstAt < lastAt);
      assert.deepEqual(counts, {
        agent: source.agent,
        cwd: run.cwd,
        userTurns: 2,
        assistantMessages: 8,
        toolCalls: 8,
        toolResultsMatched: 8,
        toolResultsOrphan: 0,
        thinkingBlocks: 1,
        firstPrompt: prompt('Do the first thing: 写一个文件'),
        models: ['m1'],
        malformed: 0,
        skipped: [],
        conversations: 1,
      });
    });

    test('a subagent is a thread of its own, with the session that started it as parent', async () => {
      endpoint.play([
        {
          tools: [
            {
              name: 'task',
              input: { description: 'Look', prompt: 'Look at it', subagent_type: 'general' },
            },
          ],
        },
        { text: 'Looked.' },
        { text: 'Done.' },
      ]);
      await ask(run, 'Send somebody');
      const main = await findMain();
      const subs = (await find()).filter(({ parent }) => parent === main.nativeId);
      assert.equal(subs.length, 1);
      const sub = (await parsed(subs[0] ?? assert.fail())).thread();
      assert.deepEqual(show(sub), ['user: Look at it', 'assistant: Looked.']);
      assert.equal(sub.parent, main.nativeId);
      assert.equal((await parsed(main)).thread().counts.userTurns, 1);
    });

    test('our argv brings every earlier turn back to the program', async () => {
      await work();
      const { nativeId } = await findMain();
      const [command, ...args] = source.resume?.({ nativeId }) ?? [];
      assert.equal(command, made.word);
      endpoint.play([{ text: 'I remember.' }]);
      await ask(run, 'What did we do?', args);
      const sent = JSON.stringify(endpoint.requests.at(-1)?.messages);
      for (const said of [
        '写一个文件',
        'Ich schaue nach 👀',
        'echo 你好',
        '完成 ✅',
        'It is green now.',
      ]) {
        assert.ok(sent.includes(said), `${said} was not sent`);
      }
      assert.equal((await findMain()).nativeId, nativeId);
    });

    test('while the program works every read fits the one before, and a killed one leaves an open turn', async () => {
      const many = Array.from({ length: 12 }, (_, at) => ({
        text: `Step ${at} `.repeat(200),
        tools: [{ name: 'bash', input: { command: `seq ${at} 400`, description: `Step ${at}` } }],
      }));
      endpoint.play([...many, { hangs: true }]);
      const child = start(run, 'Take your time');
      const parser = source.parser('');
      let cursor: Cursor | undefined;
      let reads = 0;
      while (parser.thread({ turns: false }).counts.toolResultsMatched !== many.length) {
        assert.equal(child.exitCode, null, 'the program ended too early');
        const { threads, problems } = await look();
        // While it makes its database it writes without a log, and nobody may look.
        assert.ok(problems.every(({ message }) => message.endsWith('is being written to.')));
        const [found] = threads;
        if (found === undefined) continue;
        const read = await source.read(found, cursor);
        assert.equal(read.restarted, undefined);
        for (const record of read.records) parser.push(record);
        cursor = read.cursor;
        reads += 1;
      }
      child.kill('SIGKILL');
      await once(child, 'close');
      assert.ok(reads > many.length, `${reads} reads`);

      const found = await findMain();
      for (const record of (await source.read(found, cursor)).records) parser.push(record);
      const whole = await parsed(found);
      assert.deepEqual(parser.thread(), { ...whole.thread(), nativeId: parser.thread().nativeId });
      assert.equal(parser.working, true);

      endpoint.play([{ text: 'Going on.' }]);
      await ask(run, 'Go on', ['--session', found.nativeId]);
      const after = await parsed(await findMain());
      assert.equal(after.working, false);
      assert.equal(show(after.thread()).at(-1), 'assistant: Going on.');
    });
  });

suiteFor(openCode, openCodeProgram);
suiteFor(kiloCode, kiloProgram);
