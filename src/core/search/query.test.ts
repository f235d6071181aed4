import assert from 'node:assert/strict';
import { parseQuery } from './query.js';

const now = new Date(2026, 10, 30, 12).getTime();
const day = (year: number, month: number, date: number): number =>
  new Date(year, month - 1, date).getTime();

suite('queries', () => {
  const reads = (query: string, words: string, filters: object, asYouType = false): void => {
    test(`${query} is understood${asYouType ? ' while it is typed' : ''}`, () => {
      const read = parseQuery(query, { asYouType, now });
      assert.deepEqual(read.advice, []);
      const shown = read.needles.map(({ pieces, open }) => pieces.join('_') + (open ? '*' : ''));
      assert.equal(shown.join(' '), words);
      assert.deepEqual(read.filters, filters);
    });
  };
  reads('', '', {});
  reads('  Fix   it ', 'fix it', {});
  reads('fix it', 'fix it*', {}, true);
  reads('fix it ', 'fix it', {}, true);
  reads('fi* it', 'fi* it', {});
  reads('"due date" x', 'due_date x', {});
  reads('"due da', 'due_da', {});
  reads('"due da', 'due_da*', {}, true);
  reads('"due da"', 'due_da', {}, true);
  reads('agent:codex x', 'x', { agent: ['codex'] });
  reads('AGENT:codex agent:pi', '', { agent: ['codex', 'pi'] });
  reads('role:user tool:bash file:src/x.ts', '', {
    tool: ['bash'],
    file: ['src/x.ts'],
    role: ['user'],
  });
  reads('file:"a b.ts" branch:main', '', { file: ['a b.ts'], branch: ['main'] });
  reads('after:2026-01-01 before:2026-02', '', { after: day(2026, 1, 1), before: day(2026, 2, 1) });
  reads('after:yesterday', '', { after: day(2026, 11, 29) });
  reads('after:2d', '', { after: now - 2 * 24 * 3_600_000 });
  reads('session:3e1f in:folder', '', { session: ['3e1f'], in: 'folder' });
  reads('http://localhost:8080 foo:bar', 'http://localhost:8080 foo:bar', {});
  reads('role:us', '', { role: ['user'] }, true);
  reads('role: x', 'x*', {}, true);
  reads('after:2026-1', '', { after: day(2026, 1, 1) }, true);
  reads('after:20', '', {}, true);
  reads('--force', '--force', {});

  const advises = (query: string, words: RegExp): void => {
    test(`${query} is answered with advice`, () => {
      const { advice } = parseQuery(query, { asYouType: false, now });
      const [first] = advice;
      assert.ok(first);
      assert.match(
        first.template.replace(/\{(\d)\}/g, (_, at) => first.args[Number(at)] ?? ''),
        words,
      );
    });
  };
  advises('role:boss', /no role “boss”; there are user, /);
  advises('after:soon', /“soon” is no date/);
  advises('after:2026-02-31', /“2026-02-31” is no date/);
  advises('in:town', /in:folder or in:project/);
  advises('agent: x', /“agent:” needs a value, such as agent:codex/);
  advises('=> *', /Type a word/);

  test('a query of any length is understood', () => {
    assert.ok(parseQuery('a '.repeat(100_000), { asYouType: true, now }).needles.length <= 32);
  });
});
