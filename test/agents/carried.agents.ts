import assert from 'node:assert/strict';
import { join } from 'node:path';
import { convertThread } from '../../src/agents/convert.js';
import { readBack, readNew } from '../../src/agents/readBack.js';
import { targets } from '../../src/agents/targets.js';
import { writeNew } from '../../src/agents/writeNew.js';
import type { Part, Thread, Turn } from '../../src/core/model/thread.js';
import { assertAccepted } from './accepted.js';
import { programOf } from './allPrograms.js';
import { ask, environmentOf } from './npmProgram.js';
import { programLab } from './programLab.js';
import { assertRemembers } from './wire.js';

/* What goes along besides words and calls: pictures, the summary of a compaction, and what is to do. */

/** Two pictures of one pixel each; some programs look at what they send. */
const pixels = {
  shown:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  answered:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
};
const image = (data: string): Part => ({
  kind: 'image',
  mediaType: 'image/png',
  bytes: Buffer.from(data, 'base64').length,
  data,
});
const text = (value: string): Part => ({ kind: 'text', text: value });
const call = (id: string, name: string, input: unknown, result: string): Part => ({
  kind: 'toolCall',
  id,
  name,
  input,
  result: { text: result, isError: false },
});
const at = Date.UTC(2026, 0, 5, 9);
const turn = (role: Turn['role'], index: number, ...parts: readonly Part[]): Turn => ({
  id: `t${index}`,
  role,
  at: at + index * 1000,
  model: role === 'assistant' ? 'some-model' : undefined,
  parts,
});

const summary = 'The user wants a cart. 购物车 was read and half of it written.';
const todos = [
  { content: 'Read the cart', status: 'completed', activeForm: 'Reading the cart' },
  { content: 'Mend the total', status: 'in_progress', activeForm: 'Mending the total' },
];

/** A conversation that Claude Code summed up, with pictures after it in a prompt and in what a tool answered. */
const work = (cwd: string): Thread => ({
  agent: 'claude-code',
  nativeId: '0f1e2d3c-4b5a-4687-8796-a5b4c3d2e1f0',
  title: 'A cart',
  cwd,
  turns: [
    turn('user', 0, text('Said before the summary')),
    turn('assistant', 1, text('Answered before the summary')),
    turn('system', 2, { kind: 'notice', notice: 'compaction', text: summary }),
    turn('user', 3, text('Why does it look like this?'), image(pixels.shown)),
    turn(
      'assistant',
      4,
      text('I look at the picture.'),
      call('toolu_1', 'Read', { file_path: join(cwd, 'cart.png') }, 'A picture of the cart.'),
      image(pixels.answered),
    ),
    turn('assistant', 5, call('toolu_2', 'TodoWrite', { todos }, 'Todos have been modified.')),
    turn('assistant', 6, text('The total is cut off.')),
  ],
  todos: [
    { text: 'Read the cart', state: 'done' },
    { text: 'Mend the total', state: 'doing' },
  ],
  counts: {} as Thread['counts'],
  skipped: [],
});

/** Their list is a table that their `import` does not fill; their model reads the call. */
const keepsTodosApart = new Set(['opencode', 'kilo-code']);

for (const target of targets) {
  const given = programOf(target.agent);
  if (given === undefined) continue;

  suite(`besides words, there go along to ${target.name}`, () => {
    const lab = programLab(given);

    test('pictures byte for byte, the summary, and what is to do', async () => {
      const { base, run, endpoint, source } = lab();
      const place = { cwd: run.cwd, env: await environmentOf(run), userHome: run.home };
      // Of another agent even for Claude Code, so that nothing is passed on as it is.
      const thread = { ...work(run.cwd), agent: 'another' };
      const origin = target.agent === 'claude-code' ? { thread } : { thread: work(run.cwd) };
      const converted = await convertThread(origin, target, place);
      await writeNew(join(base, 'store'), converted, 'claude-code:x');
      await readBack(source, converted);

      endpoint.play([{ text: 'I see.' }]);
      await ask(run, 'What do you see?', converted.command.slice(1));
      const [request] = endpoint.requests;
      const { expected } = converted;
      assert.ok(request !== undefined && typeof expected !== 'number');
      const { images, resultImages = true, summaries } = target.takes;
      // What stands before a summary of its own kind is not sent: that is what it is for.
      const from = summaries ? expected.findIndex(({ role }) => role === 'summary') : 0;
      assert.ok(from >= 0);
      const asked = [{ kind: 'text', text: 'What do you see?' }] as const;
      const words = expected
        .slice(from)
        .map((message) =>
          message.role === 'summary'
            ? message
            : { ...message, content: message.content.filter(({ kind }) => kind === 'text') },
        );
      assertRemembers(request.messages, [...words, { role: 'user', at: 0, content: asked }]);
      assertAccepted(request);
      const sent = JSON.stringify(request.messages);
      // Codex keeps prompts besides its summary.
      assert.equal(sent.includes('Answered before the summary'), !summaries);
      assert.ok(sent.includes(summary));
      assert.equal(sent.includes(pixels.shown), images, 'the picture in the prompt');
      assert.equal(
        sent.includes(pixels.answered),
        images && resultImages,
        'the picture of the tool',
      );
      if (!images) assert.ok(sent.includes('[Image: image/png'));

      const thereAgain = await readNew(source, converted);
      assert.ok(thereAgain !== undefined);
      // A list of todos is a call of the program's own tool where it has one.
      const isOwn = converted.report.lines.some(({ detail }) => detail?.startsWith('TodoWrite →'));
      if (isOwn && !keepsTodosApart.has(target.agent)) {
        assert.deepEqual(thereAgain.todos, work(run.cwd).todos);
      } else assert.ok(sent.includes('Mend the total'));
    });
  });
}
