import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chooseRuns } from './batchChain.js';

/** `name first-end stamp`, with `=reused` behind it for a generation's first run. */
function choose(script: string): string {
  const runs = script.split(', ').map((line) => {
    const [, name = '', first, end, stamp = '', reused] =
      /^(\w+) (\d+)-(\d+) (\d+)(?: =(\d+))?$/.exec(line) ?? [];
    return {
      name,
      first: Number(first),
      count: Number(end) - Number(first),
      stamp: stamp.padStart(3, '0'),
      reused: reused === undefined ? undefined : Number(reused),
    };
  });
  return chooseRuns(runs)
    .map(({ name, first, take }) => `${name} ${first}-${first + take}`)
    .join(', ');
}

suite('the runs of a conversation', () => {
  const is = (title: string, script: string, expected: string): void => {
    test(`are those of one reader: ${title}`, () => assert.equal(choose(script), expected));
  };
  is('one after the other', 'a 0-2 1, b 2-5 2', 'a 0-2, b 2-5');
  is('two windows read one changing store at once: the later counts', 'a 0-3 1, b 0-3 2', 'b 0-3');
  is('whichever of them is met first', 'b 0-3 2, a 0-3 1', 'b 0-3');
  is('the one that read further counts, late or not', 'a 0-5 1, b 0-3 2', 'a 0-5');
  is('it went on from the later one', 'a 0-3 1, b 0-3 2, c 3-4 3', 'b 0-3, c 3-4');
  is('somebody was late', 'a 0-3 1, c 3-4 2, b 0-3 3', 'a 0-3, c 3-4');
  is('it was late too', 'a 0-3 5, b 0-3 6, c 3-4 4', 'a 0-3, c 3-4');
  is('they overlap', 'a 0-3 1, b 2-5 2', 'a 0-2, b 2-5');
  is('they disagree where a rewritten file begins', 'a 3-5 1 =3, b 4-5 2 =4', 'b 4-5');
  is('and it went on', 'a 3-5 1 =3, b 4-5 2 =4, c 5-7 3', 'b 4-5, c 5-7');
  is('a rewritten file begins with nothing new', 'a 2-2 1 =2, b 2-5 2', 'a 2-2, b 2-5');
  is('a run is lost', 'a 0-3 1, b 5-6 2', 'a 0-3, b 5-6');
  is('the first run is lost', 'a 3-5 1', 'a 3-5');
  is('there is nothing in it', 'a 0-0 1', 'a 0-0');

  test('no record is missing that a run holds and none comes twice, whoever read what', () => {
    const run = fc.record({ first: fc.nat(20), count: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 30 }), (runs) => {
        const given = runs.map((one, at) => ({
          ...one,
          reused: undefined,
          stamp: String(at).padStart(3, '0'),
        }));
        const held = new Set(given.flatMap(placesOf));
        const taken = chooseRuns(given).flatMap(({ first, take }) =>
          placesOf({ first, count: take }),
        );
        assert.deepEqual(
          taken,
          [...held].sort((a, b) => a - b),
        );
      }),
    );
  });
});

const placesOf = ({ first, count }: { readonly first: number; readonly count: number }): number[] =>
  Array.from({ length: count }, (_, at) => first + at);
