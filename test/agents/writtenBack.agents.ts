import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { convertThread } from '../../src/agents/convert.js';
import { runImporter } from '../../src/agents/importer.js';
import { readBack } from '../../src/agents/readBack.js';
import type { FoundThread } from '../../src/agents/source.js';
import { targets } from '../../src/agents/targets.js';
import { writeNew } from '../../src/agents/writeNew.js';
import { programOf } from './allPrograms.js';
import { ask, environmentOf } from './npmProgram.js';
import { programLab, type ProgramLab } from './programLab.js';

/* A conversation that its program has thrown away comes back with the program's own records, and goes on there. */

const prompt = 'Why does it say 你好 twice?';

for (const target of targets) {
  const given = programOf(target.agent);
  if (given === undefined || target.rewrite === undefined) continue;

  suite(`${target.name} gets back what it has thrown away`, () => {
    const lab = programLab(given);

    const recordsOf = async ({ source }: ProgramLab, found: FoundThread) =>
      (await source.read(found, undefined)).records.map((record) => Buffer.from(record));

    test('with its own records, and remembers all of it', async function () {
      // Of OpenCode's family, with the same form.
      if (given.isSlow && process.env['MATRIX'] !== 'all') return this.skip();
      const { base, run, endpoint, source, find, findOne, parsed } = lab();
      endpoint.play([
        { thinking: 'Look first.', text: 'I look.', tools: [given.shell('echo once')] },
        { text: 'It is said once. 👀' },
      ]);
      await ask(run, prompt);
      const before = await findOne();
      const records = await recordsOf(lab(), before);
      const thread = { ...(await parsed(before)).thread(), cwd: run.cwd };
      const { nativeId } = before;

      const place = { cwd: run.cwd, env: await environmentOf(run), userHome: run.home };
      const converted = await convertThread({ thread: { ...thread, nativeId }, records }, target, {
        ...place,
        sessionId: nativeId,
      });
      assert.equal(typeof converted.expected, 'number');
      await sweep(lab(), before, converted.importer?.remove);
      assert.deepEqual((await find()).threads, []);
      await writeNew(join(base, 'store'), converted, `${target.agent}:${nativeId}`);
      await readBack(source, converted);
      const after = await findOne();
      assert.equal(after.nativeId, nativeId);
      // What a database gives back has the times at which it was taken in.
      if (converted.importer === undefined) {
        assert.deepEqual(await recordsOf(lab(), after), records);
      } else assert.deepEqual((await parsed(after)).thread().turns, thread.turns);

      endpoint.play([{ text: 'I remember.' }]);
      const asked = endpoint.requests.length;
      await ask(run, 'And now?', converted.command.slice(1));
      const sent = JSON.stringify(endpoint.requests[asked]?.messages);
      for (const said of [prompt, 'I look.', 'echo once', 'It is said once. 👀', 'And now?']) {
        assert.ok(sent.includes(said), `${said} was not sent`);
      }
      // The vendor checks its signature, so it must be the one that it made.
      if (target.agent === 'claude-code') assert.ok(sent.includes('c2lnbmF0dXJl'));
    });
  });
}

/** As an agent cleans up: the session's file, or its folder, or by its own command. */
async function sweep(
  { run }: ProgramLab,
  { path, nativeId }: FoundThread,
  remove: readonly string[] | undefined,
): Promise<void> {
  if (remove !== undefined) {
    await runImporter(remove, { cwd: run.cwd, env: await environmentOf(run) });
    return;
  }
  const folder = dirname(path);
  await rm(basename(folder) === nativeId ? folder : path, { recursive: true });
}
