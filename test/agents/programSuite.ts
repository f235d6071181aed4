import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectFile } from '../../src/agents/inspect.js';
import type { FoundThread, Source } from '../../src/agents/source.js';
import type { Cursor } from '../../src/core/model/records.js';
import { show } from './claudeThreads.js';
import { keepTranscript } from './keepTranscript.js';
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.js';
import { ask, configure, install, kill, start, type NpmProgram, type Run } from './npmProgram.js';
import { readThread } from './readThread.js';
import { treeHash } from './treeHash.js';

/** A real program, and what it calls the tools that the script uses. */
export interface ProgramCase {
  readonly program: NpmProgram;
  readonly create: () => Source;
  readonly shell: (command: string) => { readonly name: string; readonly input: unknown };
  readonly write: (
    file: string,
    text: string,
  ) => { readonly name: string; readonly input: unknown };
  /** How a failing command is shown; some tools answer it as any other. */
  readonly failure: RegExp;
  /** Whether the records name the working folder. */
  readonly namesFolder?: boolean;
  readonly models: readonly string[];
  /** Answers that are counted, where not every one of the script's seven is. */
  readonly answers?: number;
}

/** The real program does a scripted piece of work; our source must find exactly that. */
export function programSuite(name: string, given: ProgramCase): void {
  suite(`${name}, the real program`, () => {
    const { program, shell, write } = given;
    let base: string;
    let endpoint: ModelEndpoint;
    let run: Run;
    let source: Source;

    suiteSetup(() => install(program));

    setup(async () => {
      base = await realpath(await mkdtemp(join(tmpdir(), 'agent-')));
      endpoint = await startModelEndpoint();
      source = given.create();
      run = {
        program,
        home: join(base, 'home'),
        cwd: join(base, 'wörk 项目'),
        endpoint: endpoint.url,
      };
      await mkdir(run.cwd, { recursive: true });
      await mkdir(run.home, { recursive: true });
      await configure(run);
    });

    teardown(async () => {
      await endpoint.close();
      await rm(base, { recursive: true, maxRetries: 5, retryDelay: 100 });
    });

    const find = (folder = run.cwd) =>
      source.find({ folders: [folder], homes: [], env: {}, userHome: run.home });
    const findOne = async (folder?: string): Promise<FoundThread> => {
      const { threads, problems } = await find(folder);
      const own = threads.filter(({ parent }) => parent === undefined);
      assert.deepEqual([own.length, problems], [1, []]);
      return own[0] ?? assert.fail();
    };
    const parsed = (found: FoundThread) => readThread(source, found);

    /** Two prompts: thinking, a shell tool, parallel calls, a failing tool, much output, a new file. */
    const work = async () => {
      const file = join(run.cwd, 'notes.txt');
      endpoint.play([
        { thinking: 'First look around.', text: 'Ich schaue nach 👀', tools: [shell('echo 你好')] },
        { tools: [shell('echo one'), shell('echo two')] },
        { tools: [shell('seq 1 20000')] },
        { tools: [shell('exit 3')] },
        { text: '完成 ✅' },
      ]);
      await ask(run, 'Do the first thing: 写一个文件');
      endpoint.play([
        { text: 'Writing it.', tools: [write(file, 'green\n')] },
        { text: 'It is green now.' },
      ]);
      await ask(run, 'Now make it green', 'latest');
      assert.equal(await readFile(file, 'utf8'), 'green\n');
    };

    test('a piece of work is found turn by turn, and nothing in the agent’s store is touched', async () => {
      await work();
      const before = await treeHash(run.home);
      const found = await findOne();
      const parser = await parsed(found);
      const thread = parser.thread();
      const inspection = await inspectFile(found.path);
      assert.deepEqual((await find(join(base, 'elsewhere'))).threads, []);
      assert.equal((await findOne(base)).nativeId, found.nativeId);
      assert.equal(await treeHash(run.home), before);

      const expected = [
        /^user: Do the first thing: 写一个文件$/,
        /^assistant: (?:\[First look around\.\] Ich schaue nach 👀|Ich schaue nach 👀 \[First look around\.\]) \w+=>[\s\S]*你好/,
        /^assistant: \w+=>[\s\S]*one[\s\S]* \w+=>[\s\S]*two/,
        /^assistant: \w+=>[\s\S]*20000/,
        given.failure,
        /^assistant: 完成 ✅$/,
        /^user: Now make it green$/,
        /^assistant: Writing it\. \w+=>/,
        /^assistant: It is green now\.$/,
      ];
      const turns = show(thread);
      assert.equal(
        turns.length,
        expected.length,
        turns.map((turn) => turn.slice(0, 200)).join('\n'),
      );
      for (const [at, turn] of turns.entries()) assert.match(turn, expected[at] ?? /$^/);
      assert.equal(found.cwd ?? thread.cwd, run.cwd);
      assert.equal(parser.working, false);
      assert.equal(thread.title, 'Do the first thing: 写一个文件');
      const { sessionId, firstAt, lastAt, ...counts } = inspection;
      assert.equal(sessionId, found.nativeId);
      assert.ok(firstAt !== null && lastAt !== null && firstAt < lastAt);
      assert.deepEqual(counts, {
        agent: source.agent,
        cwd: given.namesFolder === false ? null : run.cwd,
        userTurns: 2,
        assistantMessages: given.answers ?? 7,
        toolCalls: 6,
        toolResultsMatched: 6,
        toolResultsOrphan: 0,
        thinkingBlocks: 1,
        firstPrompt: 'Do the first thing: 写一个文件',
        models: given.models,
        malformed: 0,
        skipped: [],
      });
      if (process.env['KEEP_TRANSCRIPTS'] !== undefined) {
        const kept = `${program.name}-${program.version}-work.jsonl`;
        await keepTranscript(found.path, base, `${source.agent}/${kept}`);
      }
    });

    test('our argv, started where the session was, brings every earlier turn back to the agent', async () => {
      await work();
      const { nativeId } = await findOne();
      const argv = source.resume?.({ nativeId }) ?? assert.fail();
      assert.equal(argv[0], program.name);
      endpoint.play([{ text: 'I remember.' }]);
      const before = endpoint.requests.length;
      await ask(run, 'What did we do?', argv.slice(1));
      const sent = JSON.stringify(endpoint.requests[before]?.messages);
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
      const after = await findOne();
      assert.equal(after.nativeId, nativeId);
      const turns = show((await parsed(after)).thread());
      assert.equal(turns.length, 11);
      assert.deepEqual(turns.slice(-2), ['user: What did we do?', 'assistant: I remember.']);
    });

    test('while the agent works each record arrives once, and a killed agent leaves an open turn', async () => {
      endpoint.play([{ text: 'Starting.', tools: [shell('sleep 1')] }, { hangs: true }]);
      const child = await start(run, 'Take your time');
      const closed = once(child, 'close');
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
      kill(child);
      await closed;
      const found = await findOne();
      records += (await source.read(found, cursor)).records.length;
      const whole = await source.read(found, undefined);
      assert.equal(records, whole.records.length);
      assert.equal(parser.working, true);
      assert.deepEqual(show(parser.thread()).slice(0, 1), ['user: Take your time']);

      endpoint.play([{ text: 'Going on.' }]);
      await ask(run, 'Go on', source.resume?.(found)?.slice(1) ?? assert.fail());
      const after = await parsed(await findOne());
      assert.equal(after.working, false);
      const turns = show(after.thread());
      assert.deepEqual([turns[0], turns.at(-1)], ['user: Take your time', 'assistant: Going on.']);
    });
  });
}
