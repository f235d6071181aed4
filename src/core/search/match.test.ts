import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matchText } from './match.js';
import type { Lookup } from './needle.js';
import { parseQuery } from './query.js';
import { addTerms } from './terms.js';
import { isBoundary, wordRuns } from './words.js';

/** What an index answers from terms alone: whether the text is worth a look. */
function isCandidate(lookup: Lookup, terms: ReadonlySet<string>): boolean {
  if (lookup === 'everywhere') return true;
  if ('term' in lookup) return terms.has(lookup.term);
  if ('prefix' in lookup) return [...terms].some((term) => term.startsWith(lookup.prefix));
  if ('all' in lookup) return lookup.all.every((one) => isCandidate(one, terms));
  return lookup.any.some((one) => isCandidate(one, terms));
}

function search(text: string, query: string, asYouType = false): readonly string[] | undefined {
  const { needles } = parseQuery(query, { asYouType, now: 0 });
  const terms = new Set<string>();
  addTerms(text, terms);
  if (!needles.every(({ lookup }) => isCandidate(lookup, terms))) return undefined;
  return matchText(text, needles)?.map(({ start, end }) => text.slice(start, end));
}

suite('matching', () => {
  const finds = (query: string, text: string, ...places: readonly string[]): void => {
    test(`${query} is found in ${text}`, () => assert.deepEqual(search(text, query), places));
  };
  const misses = (query: string, text: string): void => {
    test(`${query} is not found in ${text}`, () => assert.equal(search(text, query), undefined));
  };
  const begins = (query: string, text: string, ...places: readonly string[]): void => {
    test(`${query}, being typed, is found in ${text}`, () =>
      assert.deepEqual(search(text, query, true), places));
  };

  finds('user', 'getUserById and user_service', 'User', 'user');
  finds('getUserById', 'await getUserById(7)', 'getUserById');
  finds('getuserbyid', 'await getUserById(7)', 'getUserById');
  finds('UserById', 'await getUserById(7)', 'UserById');
  finds('user_service', 'import my.user_service.main', 'user_service');
  finds('service_main', 'my_user_service_main()', 'service_main');
  finds('Id_user', 'getUserId_userName', 'Id_user');
  begins('user_serv', 'my_user_service', 'user_serv');
  begins('user_', 'my_user_service', 'user_');
  misses('user_service', 'the user service');
  misses('user_service', 'userService');
  finds('server', 'new HTTPServer2()', 'Server');
  finds('http', 'new HTTPServer2()', 'HTTP');
  finds('HTTPServer2', 'new HTTPServer2()', 'HTTPServer2');
  finds('server2', 'new HTTPServer2()', 'Server2');
  misses('use', 'the user');
  misses('ser', 'the user');
  finds('use*', 'the user uses', 'use', 'use');
  finds('src/main.ts', 'open ./src/main.ts:12', 'src/main.ts');
  finds('my-app', 'cd my-app', 'my-app');
  misses('my-app', 'my app');
  finds('fix parser', 'The parser: fix it', 'fix', 'parser');
  misses('fix parser', 'fix it');
  finds('"due date"', 'the due  date', 'due  date');
  finds('"due date"', 'Due: date', 'Due: date');
  finds('"call (it"', 'call(it)', 'call(it');
  misses('"due date"', 'date due');
  misses('"due date"', 'due or date');
  misses('"due date"', 'overdue date');
  finds('"a.b(c)"', 'x = A.B(c);', 'A.B(c)');
  misses('"a.b(c)"', 'a b c');
  finds('“smart quotes”', 'with smart quotes', 'smart quotes');
  finds('cafe', 'Le Café', 'Café');
  finds('café', 'le CAFE', 'CAFE');
  finds('cafe', 'Cafe\u0301 noir', 'Cafe\u0301');
  finds('搜索', '全文搜索功能', '搜索');
  finds('文搜', '全文搜索功能', '文搜');
  finds('索', '全文搜索', '索');
  finds('全', '全文搜索', '全');
  misses('文索', '全文搜索');
  finds('本語の', '日本語の検索', '本語の');
  misses('か', 'が');
  finds('Vue组件', '写一个Vue组件吧', 'Vue组件');
  finds('组件', '写一个Vue组件吧', '组件');
  finds('🎉', 'done 🎉', '🎉');
  finds('9f8a7c1*', 'commit 9f8a7c1d2e3b4a5f6e7d8c9b0a1f2e3d4c5b6a79', '9f8a7c1');
  misses('9f8a7c1', 'commit 9f8a7c1d2e3b4a5f6e7d8c9b0a1f2e3d4c5b6a79');
  begins('getU', 'getUserById', 'getU');
  begins('use', 'the user', 'use');
  begins('"the us', 'the user', 'the us');
  begins('p', 'the user prompts', 'p');
  begins('user the ', 'the user', 'user', 'the');

  test('places are of the text as it was, whatever folding does to its length', () => {
    const text = '½ ﬁne İstanbul … ﬁsh';
    assert.deepEqual(search(text, 'fish'), ['ﬁsh']);
    assert.deepEqual(search(text, 'istanbul'), ['İstanbul']);
  });

  const text = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.stringMatching(/^[a-zA-Z0-9_]{1,80}$/),
      fc.stringMatching(/^[a-zA-Z]{1,9}_[a-zA-Z0-9]{1,90}_[a-z]{1,50}$/),
      fc.string({
        unit: fc.constantFrom('全', '文', '検', '索', 'が', 'ー', 'a', '한'),
        maxLength: 8,
      }),
      fc.constantFrom(
        'getUserById',
        'user_service',
        'HTTPServer2',
        '𠮷野家',
        '\ud800',
        'é',
        'e\u0301',
      ),
    ),
    { maxLength: 12 },
  );
  const place = fc.nat(1_000_000);

  test('whatever words of a text are asked for, they are found in it', () => {
    fc.assert(
      fc.property(text, place, place, fc.boolean(), (words, from, count, phrase) => {
        const whole = words.join(' ');
        const runs = [...whole.matchAll(wordRuns)].map(([run]) => run);
        const first = runs.length === 0 ? 0 : from % runs.length;
        const asked = runs.slice(first, first + 1 + (count % 4)).join(' ');
        if (asked === '') return;
        assert.ok(search(whole, phrase ? `"${asked}"` : asked), asked);
      }),
    );
  });

  test('whatever stretch of an identifier is asked for, it is found', () => {
    const part = fc.stringMatching(/^(?:[a-z]{1,12}|[A-Z]{1,4}|[0-9]{1,3}|[a-z]{30,90})$/);
    const identifier = fc.array(fc.tuple(part, fc.constantFrom('_', '', '.', '-')), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(identifier, place, place, (pieces, from, to) => {
        const whole = pieces.map(([name, separator]) => name + separator).join('');
        const ends = Array.from({ length: whole.length + 1 }, (_, at) => at).filter((at) =>
          isBoundary(whole, at),
        );
        const [a = 0, b = 0] = [ends[from % ends.length], ends[to % ends.length]];
        const asked = whole.slice(Math.min(a, b), Math.max(a, b));
        if (
          !/[a-z0-9]/i.test(asked) ||
          [...whole.matchAll(wordRuns)].some(([run]) => run.length > 64)
        ) {
          return;
        }
        assert.ok(search(`call ${whole} now`, `"${asked}"`), asked);
      }),
    );
  });

  test('as a word of a text is typed, it is found all the way', () => {
    fc.assert(
      fc.property(text, place, place, (words, from, length) => {
        const whole = words.join(' ');
        const runs = [...whole.matchAll(wordRuns)].map(([run]) => run);
        const run = runs[from % Math.max(1, runs.length)];
        if (run === undefined) return;
        const characters = Array.from(run);
        const typed = characters.slice(0, 1 + (length % characters.length)).join('');
        // Half of a letter and its mark is another letter.
        if (
          /^[\p{M}\u1100-\u11ff\uff9e\uff9f]/u.test(
            characters[1 + (length % characters.length)] ?? '',
          )
        ) {
          return;
        }
        assert.ok(search(whole, typed, true), typed);
      }),
    );
  });

  test('no query and no text makes it fail', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.boolean(),
        (a, b, c) => {
          search(a, b, c);
          search(b, `${a}"`, c);
        },
      ),
    );
  });
});
