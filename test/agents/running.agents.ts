import assert from 'node:assert/strict';
import { join } from 'node:path';
import { convertThread } from '../../src/agents/convert.js';
import { findRunning, refuseWhileRunning } from '../../src/agents/running.js';
import { targetOf } from '../../src/agents/targets.js';
import { undoWritten, writeNew } from '../../src/agents/writeNew.js';
import { isExpected } from '../../src/core/errors.js';
import { planContinuation } from '../../src/library/continueThread.js';
import { ask, environmentOf, kill, start, type Session } from './npmProgram.js';
import { until } from '../until.js';
import { programLab, type ProgramLab } from './programLab.js';
import { claudeCode } from './programs/claudeCode.js';
import { codex } from './programs/codex.js';
import { copilotCli } from './programs/copilotCli.js';
import { geminiCli } from './programs/geminiCli.js';

/* While a program works on a session, nobody else may: not go on in its place, not write it back, not undo it. */

const isRunning = (error: unknown): boolean => isExpected(error) && error.reason === 'agentRunning';

for (const given of [claudeCode, codex, copilotCli, geminiCli]) {
  suite(`while ${given.program.name} works on a session`, () => {
    const lab = programLab(given);

    /** Runs something while the program waits for its model, in a session that it began itself or goes on with. */
    async function whileWorking(run: () => Promise<void>, session: Session) {
      const { endpoint } = lab();
      endpoint.play([{ hangs: true }]);
      const before = endpoint.requests.length;
      const program = await start(lab().run, 'Think for ever', session);
      const over = new Promise((resolve) => program.once('close', resolve));
      try {
        await until('the program asks its model', () => {
          assert.equal(program.exitCode, null, 'the program ended too early');
          return endpoint.requests.length > before;
        });
        await run();
      } finally {
        if (program.exitCode === null) kill(program);
        await over;
      }
    }

    test('one that it began itself is not gone on with, nor written back', async () => {
      const { source, findOne, parsed, run, endpoint } = lab();
      // Some keep a session once a prompt is answered.
      endpoint.play([{ text: 'Answered.' }]);
      await ask(run, 'The first prompt');
      await whileWorking(async () => {
        const found = await findOne();
        const home = { env: {}, userHome: run.home };
        const worked = {
          agent: source.agent,
          nativeId: found.nativeId,
          files: [found.path],
          cwd: run.cwd,
        };
        assert.ok((await findRunning(worked, home)) !== undefined, 'it is not seen');
        await assert.rejects(refuseWhileRunning(worked, home), isRunning);
        const other = { ...worked, nativeId: '11111111-1111-4111-8111-111111111111', files: [] };
        assert.equal(await findRunning(other, home), undefined);

        const { records } = await source.read(found, undefined);
        const thread = { ...(await parsed(found)).thread(), cwd: run.cwd };
        const mask = () => Promise.reject(new Error('nothing is masked'));
        const planned = await planContinuation(
          { thread, records, path: found.path },
          { agent: source.agent },
          mask,
          {},
          run.home,
        );
        assert.deepEqual(planned.files, []);
        await assert.rejects(planned.write(join(lab().base, 'store')), isRunning);
      }, 'latest');
      // Ended, it is nobody's any more.
      const found = await findOne();
      const worked = {
        agent: source.agent,
        nativeId: found.nativeId,
        files: [found.path],
        cwd: run.cwd,
      };
      assert.equal(await findRunning(worked, { env: {}, userHome: run.home }), undefined);
    });

    test('one that we wrote is not taken back', async () => {
      const { base, run, source } = lab();
      const target = targetOf(source.agent);
      const place = { cwd: run.cwd, env: await environmentOf(run), userHome: run.home };
      const thread = threadIn(lab());
      const converted = await convertThread({ thread }, target, place);
      await writeNew(join(base, 'store'), converted, 'goose:1');
      await whileWorking(async () => {
        const undo = undoWritten(join(base, 'store'), source.agent, converted.nativeId);
        await assert.rejects(undo, isRunning);
      }, converted.command.slice(1));
    });
  });
}

const threadIn = ({ run }: ProgramLab) => ({
  agent: 'goose',
  nativeId: '1',
  cwd: run.cwd,
  turns: [
    { id: 'a', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    { id: 'b', role: 'assistant', parts: [{ kind: 'text', text: 'Hello' }] },
  ] as const,
  todos: [],
  counts: {} as never,
  skipped: [],
});
