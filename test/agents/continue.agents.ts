import assert from 'node:assert/strict';
import { join } from 'node:path';
import { convertThread } from '../../src/agents/convert.js';
import { readBack } from '../../src/agents/readBack.js';
import { targets } from '../../src/agents/targets.js';
import { writeNew } from '../../src/agents/writeNew.js';
import type { Part, Thread, Turn } from '../../src/core/model/thread.js';
import { programOf } from './allPrograms.js';
import { ask, environmentOf } from './npmProgram.js';
import { programLab } from './programLab.js';
import { assertRemembers } from './wire.js';

const at = Date.UTC(2026, 0, 5, 9);
const turn = (role: Turn['role'], index: number, ...parts: readonly Part[]): Turn => ({
  id: `t${index}`,
  role,
  at: at + index * 1000,
  model: role === 'assistant' ? 'some-model' : undefined,
  parts,
});
const text = (value: string): Part => ({ kind: 'text', text: value });
const call = (
  id: string,
  name: string,
  input: unknown,
  result?: string,
  isError = false,
): Part => ({
  kind: 'toolCall',
  id,
  name,
  input,
  result: result === undefined ? undefined : { text: result, isError },
});

/** A conversation of an agent that nobody writes for: each kind of turn that can be met. */
const foreign = (cwd: string): Thread => ({
  agent: 'goose',
  nativeId: '20260105_1',
  title: 'Fix the total 购物车',
  cwd,
  turns: [
    turn('user', 0, text('Why is the total wrong? 购物车 👀')),
    turn(
      'assistant',
      1,
      { kind: 'thinking', text: 'Secret thoughts.' },
      text('I look first.'),
      call('c1', 'developer__shell', { command: 'ls -la' }, 'cart.ts\nindex.ts'),
      call('c2', 'strange.tool/name', { deep: { list: [1, 'two'] } }, 'parallel 结果'),
    ),
    turn(
      'assistant',
      2,
      call('c3', 'developer__shell', { command: 'exit 3' }, 'Exit code 3', true),
      call('c4', 'write', { path: join(cwd, 'a.txt'), content: 'green\n' }, 'Written.'),
    ),
    turn('assistant', 3, text('The sum is divided by two.'), text('That is all.')),
    turn('system', 4, { kind: 'notice', notice: 'info', text: 'Something was shown.' }),
    turn('user', 5, text('Then fix it:\n\n```ts\nreturn sum;\n```')),
    turn('user', 6, text('And add a test.')),
    turn('assistant', 7, call('c1', 'write', { path: 'b.txt', content: '' })),
  ],
  todos: [],
  counts: {} as Thread['counts'],
  skipped: [],
});

/** Agents whose own records can be cut; the others' are written anew, and they send no thoughts that would be lost. */
const cutsItsOwn = new Set(['claude-code', 'codex', 'qwen-code', 'pi']);

/** Others cannot be told to go on with the newest session, or are tried where they get theirs back. */
const goesOn = new Set([...cutsItsOwn, 'gemini-cli']);

for (const target of targets) {
  const given = programOf(target.agent);
  if (given === undefined) continue;

  suite(`a conversation goes on in ${target.name}`, () => {
    const lab = programLab(given);

    test('it sends every turn to its model, and goes on in the same session', async () => {
      const { base, run, endpoint, source, find } = lab();
      const place = { cwd: run.cwd, env: await environmentOf(run), userHome: run.home };
      const converted = await convertThread({ thread: foreign(run.cwd) }, target, place);
      await writeNew(join(base, 'store'), converted, 'goose:20260105_1');
      await readBack(source, converted);

      endpoint.play([{ text: 'I remember.' }]);
      await ask(run, 'What did we do?', converted.command.slice(1));
      const [request] = endpoint.requests;
      const { expected } = converted;
      assert.ok(typeof expected !== 'number' && request !== undefined);
      const asked = [{ kind: 'text', text: 'What did we do?' }] as const;
      const sent = assertRemembers(request.messages, [
        ...expected,
        { role: 'user', at: 0, content: asked },
      ]);
      assert.deepEqual(
        sent.filter(({ kind }) => kind === 'thinking'),
        [],
      );
      assert.ok(!JSON.stringify(request).includes('Secret thoughts'));
      const { threads } = await find();
      const ids = threads.map(({ nativeId }) => nativeId);
      assert.ok(ids.includes(converted.nativeId));
      // One program only ever goes on in a copy.
      assert.equal(ids.length, given.forks === true ? 2 : 1);
    });

    const rewrites = target.rewrite !== undefined && goesOn.has(target.agent);
    (rewrites ? test : test.skip)(
      'its own conversation goes on from an earlier prompt, with its own records',
      async () => {
        const { base, run, endpoint, source, findOne, parsed, find } = lab();
        endpoint.play([
          { thinking: 'Look first.', text: 'I look.', tools: [given.shell('echo 你好')] },
          { text: 'That was it.' },
        ]);
        await ask(run, 'The first prompt');
        endpoint.play([{ text: 'Another way.' }]);
        await ask(run, 'The second prompt', 'latest');

        const found = await findOne();
        const { records } = await source.read(found, undefined);
        const thread = { ...(await parsed(found)).thread(), nativeId: found.nativeId };
        const turns = thread.turns.findLastIndex(({ role }) => role === 'user');
        const place = { cwd: run.cwd, env: await environmentOf(run), userHome: run.home };
        const converted = await convertThread({ thread, records }, target, place, { turns });
        const isOwn = typeof converted.expected === 'number';
        assert.equal(isOwn, cutsItsOwn.has(target.agent));
        await writeNew(join(base, 'store'), converted, `${target.agent}:${thread.nativeId}`);
        await readBack(source, converted);

        const before = endpoint.requests.length;
        endpoint.play([{ text: 'From there.' }]);
        await ask(run, 'A third prompt', converted.command.slice(1));
        const sent = JSON.stringify(endpoint.requests[before]?.messages);
        for (const said of [
          'The first prompt',
          'I look.',
          'echo 你好',
          'That was it.',
          'A third prompt',
        ]) {
          assert.ok(sent.includes(said), `${said} was not sent`);
        }
        for (const said of ['The second prompt', 'Another way.']) {
          assert.ok(!sent.includes(said), `${said} was sent`);
        }
        // The vendor checks its signature, so it must be the one that it made.
        if (target.agent === 'claude-code') assert.ok(sent.includes('c2lnbmF0dXJl'));
        const ids = (await find()).threads.map(({ nativeId }) => nativeId).sort();
        assert.deepEqual(ids, [thread.nativeId, converted.nativeId].sort());
      },
    );
  });
}
