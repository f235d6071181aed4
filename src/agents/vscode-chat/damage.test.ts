import assert from 'node:assert/strict';
import { line, request, state } from '../../../test/agents/chatRecords.js';
import { parse, show } from '../../../test/agents/chatThreads.js';

const push = (index: number) =>
  line({ kind: 2, k: ['requests'], v: [request(index, { response: [] })] });
const answer = (at: number, value: string) =>
  line({ kind: 2, k: ['requests', at, 'response'], v: [{ value }] });
const log = [
  line({ kind: 0, v: state([request(1)]) }),
  push(2),
  answer(1, 'second'),
  push(3),
  answer(2, 'third'),
];

suite('damaged chat logs', () => {
  const survives = (
    title: string,
    lines: readonly string[],
    turns: readonly string[],
    skipped: readonly string[],
  ) =>
    test(title, () => {
      const thread = parse(lines).thread();
      assert.deepEqual(show(thread), turns);
      assert.deepEqual(
        thread.skipped.map(({ line: at, reason }) => `${at} ${reason}`),
        skipped,
      );
      assert.equal(
        thread.counts.malformed,
        skipped.filter((each) => !each.endsWith('badEdit')).length,
      );
    });
  const first = ['user: prompt 1', 'assistant: answer 1'];
  const second = ['user: prompt 2', 'assistant: second'];
  const third = ['user: prompt 3', 'assistant: third'];

  survives('nothing is missing from a whole one', log, [...first, ...second, ...third], []);
  survives(
    'a broken first line loses its own turns only',
    ['{"kind":0,"v":{"ver', ...log.slice(1)],
    [...second, ...third],
    ['1 notJson'],
  );
  survives(
    'a broken prompt leaves its answer and what follows',
    log.with(1, '{"kind":2,"k":["req'),
    [...first, 'assistant: second', ...third],
    ['2 notJson'],
  );
  survives(
    'answers after a lost turn go to their own prompts',
    [...log, '{"kind":2,"k":["requests"],"v":[{"requ', push(5), answer(4, 'fifth')],
    [...first, ...second, ...third, 'user: prompt 5', 'assistant: fifth'],
    ['6 notJson'],
  );
  survives(
    'an answer far behind the end is not kept room for',
    [...log, '{', answer(99, 'x')],
    [...first, ...second, ...third],
    ['6 notJson', '7 badEdit'],
  );
  survives(
    'a broken answer leaves the rest',
    log.with(2, '{'),
    [...first, 'user: prompt 2', ...third],
    ['3 notJson'],
  );
  for (const length of [1, 200, 700]) {
    survives(
      `a run of ${length} NUL bytes leaves the rest`,
      log.with(2, '\0'.repeat(length)),
      [...first, 'user: prompt 2', ...third],
      ['3 nulBytes'],
    );
  }
  survives(
    'a line that is no object leaves the rest',
    log.with(2, '[1]'),
    [...first, 'user: prompt 2', ...third],
    ['3 notAnObject'],
  );
  survives(
    'two lines glued together lose those two',
    [...log.slice(0, 3), `${log[3]}${log[4]}`],
    [...first, ...second],
    ['4 notJson'],
  );
  survives(
    'an edit of what is not there changes nothing',
    [...log, answer(9, 'x')],
    [...first, ...second, ...third],
    ['6 badEdit'],
  );
  survives(
    'a line of an unknown kind is no damage',
    [...log, line({ type: 'session.future' })],
    [...first, ...second, ...third],
    [],
  );
  survives(
    'a whole state after the damage puts all right',
    ['{', ...log.slice(1), log[0] ?? ''],
    first,
    ['1 notJson'],
  );

  test('an unfinished last line is called so', () => {
    const parser = parse(log.slice(0, 3));
    parser.push(Buffer.from('{"kind":2'), { line: 4, offset: 999, cut: true });
    assert.deepEqual(parser.thread().skipped, [{ line: 4, offset: 999, reason: 'incomplete' }]);
  });

  test('a log cut at any byte gives every whole line before', () => {
    const bytes = Buffer.from(log.join('\n'));
    for (let end = 1; end <= bytes.length; end++) {
      const text = bytes.subarray(0, end).toString('utf8');
      const whole = text.split('\n').filter((each) => log.includes(each)).length;
      const { turns, skipped } = parse(text.split('\n').filter(Boolean)).thread();
      const expected = [0, 2, 3, 4, 5, 6][whole];
      assert.equal(turns.length, expected, text);
      assert.ok(skipped.length <= 1);
    }
  });

  test('lines in any order never throw and say what did not fit', () => {
    for (const order of permutations(log)) {
      const thread = parse(order).thread();
      const badEdits = thread.skipped.filter(({ reason }) => reason === 'badEdit').length;
      assert.ok(thread.counts.userTurns + badEdits >= 1);
      assert.equal(thread.counts.malformed, 0);
    }
  });
});

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
