import assert from 'node:assert/strict';
import { show } from './claudeThreads.js';
import { ask } from './npmProgram.js';
import type { ProgramCase } from './programCase.js';
import { programLab } from './programLab.js';
import { kiloCode, openCode } from './programs/openCode.js';
import { programSuite } from './programSuite.js';

const suiteFor = (given: ProgramCase) => {
  programSuite(given);

  suite(`${given.create().name}, what others do not have`, () => {
    const lab = programLab(given);

    test('a subagent is a thread of its own, with the session that started it as parent', async () => {
      const { run, endpoint, find, findOne, parsed } = lab();
      const input = { description: 'Look', prompt: 'Look at it', subagent_type: 'general' };
      endpoint.play([{ tools: [{ name: 'task', input }] }, { text: 'Looked.' }, { text: 'Done.' }]);
      await ask(run, 'Send somebody');
      const main = await findOne();
      const subs = (await find()).threads.filter(({ parent }) => parent === main.nativeId);
      assert.equal(subs.length, 1);
      const sub = (await parsed(subs[0] ?? assert.fail())).thread();
      assert.deepEqual(show(sub), ['user: Look at it', 'assistant: Looked.']);
      assert.equal(sub.parent, main.nativeId);
      assert.equal((await parsed(main)).thread().counts.userTurns, 1);
    });

    test('a list of todos, a tool that fails and the version are told', async () => {
      const { run, endpoint, findOne, parsed } = lab();
      const todos = [{ content: 'Go on', status: 'in_progress', priority: 'high' }];
      endpoint.play([
        { tools: [{ name: 'read', input: { filePath: `${run.cwd}/missing.txt` } }] },
        { tools: [{ name: 'todowrite', input: { todos } }] },
        { text: 'Planned.' },
      ]);
      await ask(run, 'Make a plan');
      const thread = (await parsed(await findOne())).thread();
      assert.deepEqual(thread.todos, [{ text: 'Go on', state: 'doing' }]);
      assert.equal(thread.version, given.program.version);
      const [read] = thread.turns[1]?.parts ?? [];
      assert.ok(read?.kind === 'toolCall' && read.result?.isError === true);
      assert.match(read.result.text, /not found/);
    });
  });
};

suiteFor(openCode);
suiteFor(kiloCode);
