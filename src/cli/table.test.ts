import assert from 'node:assert/strict';
import { facts, table } from './table.js';

suite('columns', () => {
  const columns = [
    { title: 'NAME', of: (row: readonly [string, number]) => row[0] },
    { title: 'N', of: (row: readonly [string, number]) => row[1] },
    { title: 'AGAIN', of: (row: readonly [string, number]) => row[0] },
  ];
  const aligned = (
    title: string,
    rows: readonly (readonly [string, number])[],
    lines: string[],
  ): void => {
    test(title, () => assert.equal(table(rows, columns), lines.join('\n')));
  };
  aligned(
    'are as wide as their widest cell, with numbers to the right',
    [
      ['a', 1],
      ['longer', 100],
    ],
    ['NAME      N  AGAIN', 'a         1  a', 'longer  100  longer'],
  );
  aligned(
    'stay aligned beside characters of two places, and of none',
    [
      ['数据', 1],
      ['e\u0301🎉', 2],
    ],
    ['NAME  N  AGAIN', '数据  1  数据', 'e\u0301🎉   2  e\u0301🎉'],
  );
  aligned('are titles only where there is nothing', [], ['NAME  N  AGAIN']);

  test('of facts leave out what is not known', () => {
    const pairs = [
      ['Id', '1'],
      ['Goal', ''],
      ['Status', 'active'],
    ] as const;
    assert.equal(facts(pairs), '  Id      1\n  Status  active');
  });
});
