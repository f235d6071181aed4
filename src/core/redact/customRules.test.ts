import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isExpected } from '../errors.js';
import { customRules, readRules } from './customRules.js';
import { whySlow } from './patternCost.js';
import { Redactor } from './redactor.js';

const rule = (pattern: string) => [{ name: 'Our ticket', pattern }];
const masked = (pattern: string, text: string): string =>
  new Redactor({ lane: 'save', custom: customRules(rule(pattern)) }).text(text).text;

suite("a rule of the user's own masks what it is meant to", () => {
  const becomes = (pattern: string, before: string, after: string): void => {
    test(pattern, () => assert.equal(masked(pattern, before), after));
  };
  becomes('TICKET-\\d{4}', 'see TICKET-1234', 'see [REDACTED:our-ticket#1]');
  becomes('ticket (\\d{4})', 'see ticket 1234', 'see ticket [REDACTED:our-ticket#1]');
  becomes('(?i)ticket-\\d+', 'see Ticket-1', 'see [REDACTED:our-ticket#1]');
  becomes('(?:acme|umbrella)_[a-z0-9]{4,64}', 'acme_ab12', '[REDACTED:our-ticket#1]');
  becomes('[\\p{L}]{2}\\/\\d{1,8}', 'Äß/12', '[REDACTED:our-ticket#1]');
  becomes('^secret: (.+)$', 'secret: a b', 'secret: [REDACTED:our-ticket#1]');
});

suite('a rule that could stop everything is refused, with its name and the part', () => {
  const refuses = (pattern: string, part: string): void => {
    test(pattern, () => {
      assert.throws(
        () => customRules(rule(pattern)),
        (error) =>
          isExpected(error, 'badRule') &&
          error.message.includes('Our ticket') &&
          error.message.includes(part),
      );
    });
  };
  refuses('(a+)+$', '(a+)+');
  refuses('(?:a|a)*b', '(?:a|a)*');
  refuses('((a*)b?)*c', '((a*)b?)*');
  refuses('([a-z]+\\d*)+!', '([a-z]+\\d*)+');
  refuses('(\\w{1,100}){1,100}x', '(\\w{1,100}){1,100}');
  refuses('a{1,100000}', 'a{1,100000}');
  refuses('(a)\\1', '\\1');
  refuses('(?<x>a)\\k<x>', '\\k');
  refuses('a*', 'matches nothing');
  refuses('(', 'no regular expression');

  test('too many of them', () => {
    assert.throws(() => customRules(Array.from({ length: 101 }, () => rule('a')).flat()));
  });
});

test('a repeat within a repeat is met wherever it stands, and no text makes the check fail', () => {
  const piece = fc.constantFrom('a', 'b?', '[a-z(]', '\\d', '|', '.', '(?:c)', '(?=d)');
  const any = fc.constantFrom('(', ')', '+', '{2,}', '[', ']', '\\', '(?<', 'a', '-', '|');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(any), (pieces, noise) => {
      const source = pieces.join('');
      assert.notEqual(whySlow(`${source}(?:${source}x+${source})*`), undefined);
      assert.equal(whySlow(`(?:${source}){1,9}`), undefined);
      whySlow(noise.join(''));
    }),
  );
});

test('what is not written right is said, and the other rules work', () => {
  const settings = [{ name: '', pattern: 'a' }, ...rule('b'), ...rule('c'.repeat(1001))];
  const { rules, problems } = readRules(settings);
  assert.equal(rules.length, 1);
  assert.deepEqual(
    problems.map(({ args }) => args),
    [[1], [3]],
  );
});
