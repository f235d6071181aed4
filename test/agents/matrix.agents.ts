import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { convertThread } from '../../src/agents/convert.js';
import { fieldsOf } from '../../src/agents/json.js';
import { readBack, readNew } from '../../src/agents/readBack.js';
import type { Converted, Target } from '../../src/agents/target.js';
import { targets } from '../../src/agents/targets.js';
import { writeNew } from '../../src/agents/writeNew.js';
import type { Message } from '../../src/core/convert/conversation.js';
import { prepare } from '../../src/core/convert/prepare.js';
import type { Thread } from '../../src/core/model/thread.js';
import { assertAccepted } from './accepted.js';
import { allPrograms, programOf } from './allPrograms.js';
import { grown } from './grown.js';
import { madeBy, type Made } from './madeByPrograms.js';
import type { ModelRequest } from './modelEndpoint.js';
import { begin, holds } from './matrixResults.js';
import { ask, environmentOf } from './npmProgram.js';
import type { ProgramCase } from './programCase.js';
import { programLab, type ProgramLab } from './programLab.js';
import { assertRemembers, wanted, type Sent } from './wire.js';

/*
 * Every agent's conversation goes on in every other agent: had by the real program, converted by us, resumed by
 * the other real program with one more prompt. What that sends to its model must hold all of it.
 */
const question = 'What did we do?';
const prompted = (kept = (prompt: string): string => prompt): Message => ({
  role: 'user',
  at: 0,
  content: [{ kind: 'text', text: kept(question) }],
});
const answered: Message = {
  role: 'assistant',
  at: 0,
  model: undefined,
  content: [{ kind: 'text', text: 'I remember.' }],
  calls: [],
};

for (const target of targets) {
  const to = programOf(target.agent);
  if (to === undefined) continue;

  suite(`${target.name} goes on with`, () => {
    const lab = programLab(to);

    for (const from of sourcesFor(to)) {
      const source = from.create();
      test(`200 turns that began in ${source.name}`, async function () {
        const made = await madeBy(from);
        if (made === undefined) return this.skip();
        await begin(from, to);
        const thread = source.agent === target.agent ? made.thread : grown(made.thread, 200);
        const converted = await goOn(lab(), target, { ...made, thread }, to);
        await assertComesBack(lab(), converted, thread, to);
        await holds(from, to, converted.report);
      });
    }

    test('2,000 turns', async function () {
      const [first] = allPrograms;
      const made = first && (await madeBy(first));
      if (made === undefined) return this.skip();
      const thread = grown(made.thread, 2000);
      assert.ok(thread.turns.length >= 2000);
      // Even an agent's own conversation is converted when it was made longer.
      await goOn(lab(), target, { thread: { ...thread, agent: 'another' }, records: [] }, to);
    });
  });
}

/** Kilo Code is OpenCode with other names, and starts three times as slowly. */
function sourcesFor(to: ProgramCase): readonly ProgramCase[] {
  if (!to.isSlow || process.env['MATRIX'] === 'all') return allPrograms;
  return allPrograms.filter((from) => from === to || from === allPrograms[0]);
}

/** Converts, writes and resumes; fails unless the program remembers everything, in a form that its vendor takes. */
async function goOn(
  lab: ProgramLab,
  target: Target,
  made: Made,
  to: ProgramCase,
): Promise<Converted> {
  const { run, endpoint, base, source } = lab;
  const { thread } = made;
  const place = { cwd: run.cwd, env: await environmentOf(run), userHome: run.home };
  const converted = await convertThread(made, target, place);
  await writeNew(join(base, 'store'), converted, `${thread.agent}:${thread.nativeId}`);
  await readBack(source, converted);

  endpoint.play([{ text: 'I remember.' }]);
  await ask(run, question, converted.command.slice(1));
  // Some programs ask more of their model when the prompt is answered.
  const [first] = endpoint.requests;
  assert.ok(first !== undefined);
  const isOwn = typeof converted.expected === 'number';
  const request = isOwn && to.repeatsResults ? withoutRepeated(first) : first;
  const expected = messagesOf(converted, thread, target);
  const sent = assertRemembers(request.messages, [...expected, prompted()], to.cut);
  assertAccepted(request);
  const thoughts = sent.filter(({ kind }) => kind === 'thinking');
  if (thread.agent !== target.agent) assert.deepEqual(thoughts, []);
  return converted;
}

/** A request of Gemini's interface with each result once. */
function withoutRepeated(request: ModelRequest): ModelRequest {
  const seen = new Set<string>();
  const isNew = (part: unknown): boolean => {
    const id = fieldsOf(fieldsOf(part)?.['functionResponse'])?.['id'];
    if (typeof id !== 'string') return true;
    const known = seen.has(id);
    seen.add(id);
    return !known;
  };
  const messages = request.messages.map((message) => {
    const { parts, ...rest } = message as { readonly parts: readonly unknown[] };
    return { ...rest, parts: parts.filter(isNew) };
  });
  return { ...request, messages };
}

/** An agent's own records say the same as its conversation. */
const messagesOf = ({ expected }: Converted, thread: Thread, target: Target): readonly Message[] =>
  typeof expected === 'number'
    ? prepare(thread, target.agent, target.takes).conversation.messages
    : expected;

/** Converted back to where it began, the conversation is what it was, and two turns longer unless a copy went on. */
async function assertComesBack(
  lab: ProgramLab,
  converted: Converted,
  thread: Thread,
  { kept, forks }: ProgramCase,
): Promise<void> {
  const back = targets.find(({ agent }) => agent === thread.agent);
  if (back === undefined) return;
  const there = (await readNew(lab.source, converted)) ?? assert.fail('not found');
  const home = join(lab.base, 'back');
  const again = await convertThread({ thread: there }, back, {
    cwd: lab.run.cwd,
    env: {},
    userHome: home,
  });
  const expected = prepare(thread, back.agent, back.takes).conversation.messages;
  assert.ok(typeof again.expected !== 'number');
  const [after, here] = [
    wanted(again.expected),
    wanted([...expected, ...(forks ? [] : [prompted(kept), answered])]),
  ];
  assert.equal(after.length, here.length);
  for (const [at, one] of after.entries()) {
    const other = here[at];
    assert.ok(other !== undefined && isSameThing(one, other), differs(one, other));
  }
}

const differs = (one: Sent, other: Sent | undefined): string =>
  `${JSON.stringify(one).slice(0, 300)} was ${JSON.stringify(other).slice(0, 300)}`;

/**
 * Ids are the target's own. A call for which it has a tool of its own comes back under that name, else with its
 * arguments, without those that the tool does not have and with those that it takes for granted.
 */
function isSameThing(one: Sent, other: Sent): boolean {
  if (one.kind !== 'call' || other.kind !== 'call') {
    return isDeepStrictEqual(withoutId(one), withoutId(other));
  }
  const before = other.input as Readonly<Record<string, unknown>>;
  const isSame = ([name, value]: [string, unknown]): boolean =>
    !(name in before) || isDeepStrictEqual(before[name], value);
  return one.name !== other.name || Object.entries(one.input as object).every(isSame);
}

const withoutId = (one: Sent): unknown => ({ ...one, id: undefined });
