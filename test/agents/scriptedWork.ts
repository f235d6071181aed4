import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask } from './npmProgram.js';
import type { ProgramCase } from './programCase.js';
import type { ProgramLab } from './programLab.js';

/** What follows the program's name in our argv for the only session of a lab. */
export async function resumed({ run, source, findOne }: ProgramLab): Promise<readonly string[]> {
  const [command, ...args] = source.resume?.(await findOne()) ?? assert.fail('cannot be resumed');
  assert.equal(command, run.program.name);
  return args;
}

/**
 * A real program's piece of work, two prompts: thinking, a shell tool, parallel calls, much output, a command
 * that fails, a new file, and a change of it; CJK and emoji.
 */
export async function doWork(given: ProgramCase, lab: ProgramLab): Promise<void> {
  const { run, endpoint } = lab;
  const { shell, write } = given;
  const file = join(run.cwd, 'notes.txt');
  endpoint.play([
    { thinking: 'First look around.', text: 'Ich schaue nach 👀', tools: [shell('echo 你好')] },
    { tools: [shell('echo one'), shell('echo two')] },
    { tools: [shell('seq 1 20000')] },
    { tools: [shell('exit 3')] },
    { text: 'Writing it.', tools: [write(file, 'red\n')] },
    { text: '完成 ✅' },
  ]);
  await ask(run, 'Do the first thing: 写一个文件');
  assert.equal(await readFile(file, 'utf8'), 'red\n');
  const steps = given.edit(file, 'red', 'green').map((tools) => ({ tools }));
  endpoint.play([
    { text: 'Changing it.', ...steps[0] },
    ...steps.slice(1),
    { text: 'It is green now.' },
  ]);
  await ask(run, 'Now make it green', given.noLatest ? await resumed(lab) : 'latest');
  assert.equal(await readFile(file, 'utf8'), 'green\n');
}
