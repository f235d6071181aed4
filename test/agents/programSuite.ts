import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { inspectFile } from '../../src/agents/inspect.js';
import type { FoundThread } from '../../src/agents/source.js';
import type { Cursor } from '../../src/core/model/records.js';
import { show } from './claudeThreads.js';
import { keepTranscript } from './keepTranscript.js';
import { ask, kill, start } from './npmProgram.js';
import type { Call, ProgramCase } from './programCase.js';
import { programLab, type ProgramLab } from './programLab.js';
import { doWork, resumed } from './scriptedWork.js';
import { treeHash } from './treeHash.js';
import { until } from '../until.js';

/** The real program does a scripted piece of work; our source must find exactly that. */
export function programSuite(given: ProgramCase): void {
  const { program, shell } = given;
  const kept = given.kept ?? ((prompt: string) => prompt);

  suite(`${given.create().name}, the real program`, () => {
    const lab = programLab(given);

    const edits = given.edit('', '', '').map((calls: readonly Call[]) => calls.length);
    const called = (count: number): string =>
      Array(count)
        .fill(String.raw`\w+=>[\s\S]*`)
        .join(' ');
    const said = (text: string): RegExp => new RegExp(`^${text}$`);
    const thought = given.thinks === false ? '' : String.raw`\[First look around\.\]`;

    test('a piece of work is found turn by turn, and nothing in the agent’s store is touched', async () => {
      const { base, run, source, find, findOne, parsed } = lab();
      await doWork(given, lab());
      const before = await treeHash(run.home);
      const found = await findOne();
      const parser = await parsed(found);
      const thread = parser.thread();
      const inspection = await inspectFile(found.path);
      assert.deepEqual((await find(join(base, 'elsewhere'))).threads, []);
      assert.equal((await findOne(base)).nativeId, found.nativeId);
      assert.equal(await treeHash(run.home), before);

      const expected = [
        said(`user: ${kept('Do the first thing: 写一个文件')}`),
        // Gemini's kind keeps a thought beside the answer, and not before it.
        new RegExp(
          `^assistant: (?:${thought} ?Ich schaue nach 👀|Ich schaue nach 👀 ?${thought}) \\w+=>[\\s\\S]*你好`,
        ),
        /^assistant: \w+=>[\s\S]*one[\s\S]* \w+=>[\s\S]*two/,
        given.much ?? /^assistant: \w+=>[\s\S]*20000/,
        given.failure,
        /^assistant: Writing it\. \w+=>/,
        /^assistant: 完成 ✅$/,
        said(`user: ${kept('Now make it green')}`),
        ...edits.map((count, at) =>
          said(`assistant: ${at === 0 ? String.raw`Changing it\. ` : ''}${called(count)}`),
        ),
        /^assistant: It is green now\.$/,
      ];
      const turns = show(thread);
      assert.equal(
        turns.length,
        expected.length,
        turns.map((turn) => turn.slice(0, 200)).join('\n'),
      );
      for (const [at, turn] of turns.entries()) {
        const is = expected[at] ?? /$^/;
        assert.ok(is.test(turn), `turn ${at} is not ${String(is)}: ${turn.slice(0, 400)}`);
      }
      const failed = thread.turns.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'toolCall' && part.result?.isError ? [part] : [])),
      );
      assert.equal(failed.length, given.marksFailure ? 1 : 0);
      assert.equal(found.cwd ?? thread.cwd, run.cwd);
      assert.equal(parser.working, false);
      const titles = given.titles ?? [kept('Do the first thing: 写一个文件')];
      assert.ok(titles.includes(thread.title ?? null), `it is called ${thread.title}`);

      const { sessionId, firstAt, lastAt, ...counts } = inspection;
      assert.equal(sessionId, found.nativeId);
      const calls = edits.reduce((sum, count) => sum + count, 6);
      const usual = {
        agent: source.agent,
        cwd: run.cwd,
        userTurns: 2,
        assistantMessages: 7 + edits.length,
        toolCalls: calls,
        toolResultsMatched: calls,
        toolResultsOrphan: 0,
        thinkingBlocks: given.thinks === false ? 0 : 1,
        firstPrompt: kept('Do the first thing: 写一个文件'),
        models: ['m1'],
        tokens: { input: 10 * (7 + edits.length), output: 5 * (7 + edits.length) },
        malformed: 0,
        skipped: [],
      };
      assert.deepEqual(counts, { ...usual, ...given.inspects });
      if (firstAt !== null || lastAt !== null) assert.ok(firstAt && lastAt && firstAt < lastAt);
      if (process.env['KEEP_TRANSCRIPTS'] !== undefined) {
        const name = `${program.name}-${program.version}-work${extname(found.path)}`;
        await keepTranscript(found.path, base, `${source.agent}/${name}`);
      }
    });

    test('our argv, started where the session was, brings every earlier turn back to the agent', async () => {
      const { run, endpoint, find, findOne, parsed } = lab();
      await doWork(given, lab());
      const { nativeId } = await findOne();
      const argv = await resumed(lab());
      endpoint.play([{ text: 'I remember.' }]);
      const before = endpoint.requests.length;
      await ask(run, 'What did we do?', argv);
      const sent = JSON.stringify(endpoint.requests[before]?.messages);
      let at = 0;
      for (const one of [
        'Do the first thing: 写一个文件',
        'Ich schaue nach 👀',
        'echo 你好',
        'echo one',
        'echo two',
        'seq 1 20000',
        ...(given.much === undefined ? ['20000'] : []),
        'exit 3',
        'Writing it.',
        '完成 ✅',
        'Now make it green',
        'Changing it.',
        'It is green now.',
        'What did we do?',
      ]) {
        at = sent.indexOf(one, at);
        assert.ok(at >= 0, `${one} was not sent, or not in its place`);
        at += one.length;
      }
      const [after, ...others] = newestFirst((await find()).threads);
      assert.equal(others.length, given.forks ? 1 : 0);
      assert.equal(after?.nativeId === nativeId, !given.forks);
      const turns = show((await parsed(after ?? assert.fail())).thread());
      assert.equal(turns.length, 11 + edits.length);
      assert.deepEqual(turns.slice(-2), [
        `user: ${kept('What did we do?')}`,
        'assistant: I remember.',
      ]);
    });

    /** Goes on with what a killed program left. */
    const goOn = async ({ run, endpoint, find, parsed }: ProgramLab): Promise<void> => {
      endpoint.play([{ text: 'Going on.' }]);
      await ask(run, 'Go on', await resumed(lab()));
      const threads = newestFirst((await find()).threads);
      assert.equal(threads.length, given.forks ? 2 : 1);
      const after = await parsed(threads[0] ?? assert.fail());
      assert.equal(after.working, false);
      const turns = show(after.thread());
      assert.deepEqual(
        [turns[0], turns.at(-1)],
        [`user: ${kept('Take your time')}`, 'assistant: Going on.'],
      );
    };

    if (given.keepsAtEnd) {
      test('a killed agent keeps what it was asked before, and goes on from there', async () => {
        const { run, endpoint, findOne, parsed } = lab();
        endpoint.play([{ text: 'Started.' }]);
        await ask(run, 'Take your time');
        endpoint.play([{ tools: [shell('echo one')] }, { hangs: true }]);
        const before = endpoint.requests.length;
        const child = await start(run, 'Go further', 'latest');
        const closed = once(child, 'close');
        await until('the program asks its model twice', () => {
          assert.equal(child.exitCode, null, 'the program ended too early');
          return endpoint.requests.length >= before + 2;
        }).catch(endOf(child));
        kill(child);
        await closed;
        const left = await parsed(await findOne());
        assert.deepEqual(show(left.thread()), ['user: Take your time', 'assistant: Started.']);
        await goOn(lab());
      });
      return;
    }

    test('while the agent works each record arrives once, and a killed agent leaves an open turn', async () => {
      const { run, endpoint, source, find, findOne, parsed } = lab();
      endpoint.play([
        { text: 'Starting.', tools: [shell('sleep 1')] },
        { text: 'Counting.', tools: [shell('seq 1 400')] },
        { hangs: true },
      ]);
      const child = await start(run, 'Take your time');
      const closed = once(child, 'close');
      let records: readonly Uint8Array[] = [];
      let cursor: Cursor | undefined;
      const look = async (): Promise<void> => {
        const { threads, problems } = await find();
        // While a database is made it may be written without a log, and nobody may look.
        assert.ok(problems.every(({ message }) => message.endsWith('is being written to.')));
        const [found] = threads;
        if (found === undefined) return;
        const read = await source.read(found, cursor);
        if (!given.rewrites) assert.equal(read.restarted, undefined);
        records = [...records.slice(0, read.restarted?.reused), ...read.records];
        cursor = read.cursor;
      };
      const parser = () => {
        const made = source.parser('');
        for (const record of records) made.push(record);
        return made;
      };
      const counts = () => parser().thread({ turns: false }).counts;
      const hasBoth = async (): Promise<boolean> => {
        if (counts().toolResultsMatched === 2) return true;
        assert.equal(child.exitCode, null, 'the program ended too early');
        await look();
        return false;
      };
      await until('both results are found', hasBoth, counts).catch(endOf(child));
      kill(child);
      await closed;
      await look();
      const found = await findOne();
      const whole = (await parsed(found)).thread();
      assert.deepEqual({ ...parser().thread(), nativeId: found.nativeId }, whole);
      assert.equal(parser().working, true);
      const turns = show(whole);
      assert.deepEqual([turns.length, turns[0]], [3, `user: ${kept('Take your time')}`]);
      await goOn(lab());
    });
  });
}

/** Nothing that a test has started outlives it. */
const endOf =
  (child: ChildProcess) =>
  (error: unknown): never => {
    if (child.exitCode === null) kill(child);
    throw error;
  };

const newestFirst = (threads: readonly FoundThread[]): readonly FoundThread[] =>
  threads.toSorted((one, other) => other.modifiedAt - one.modifiedAt);
