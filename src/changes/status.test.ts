import assert from 'node:assert/strict';
import { parseStatus } from './status.js';

const zeros = '0'.repeat(40);
const entries = [
  '# branch.oid 1234',
  '# branch.head a b',
  '# stash 3',
  `1 .M N... 100644 100644 100644 ${zeros} ${zeros} with a space`,
  `2 R. N... 100644 100644 100644 ${zeros} ${zeros} R100 new name`,
  'old name',
  `u UD N... 100644 100644 000000 100644 ${zeros} ${zeros} ${zeros} ours`,
  `u DU N... 100644 000000 100644 100644 ${zeros} ${zeros} ${zeros} theirs only`,
  '? un tracked',
];
const whole = Buffer.from(entries.map((entry) => `${entry}\0`).join(''));

suite('what git status says', () => {
  test('is read whole: names with spaces, renames, conflicts, headers of newer kinds', () => {
    const { orphans, untracked, ...status } = parseStatus(whole);
    assert.deepEqual(status, {
      head: '1234',
      branch: 'a b',
      files: [
        { path: 'with a space', status: ' M' },
        { path: 'new name', from: 'old name', status: 'R ' },
        { path: 'ours', status: 'UD' },
        { path: 'theirs only', status: 'DU' },
      ],
      conflicts: 2,
    });
    assert.deepEqual(orphans.map(String), ['theirs only']);
    assert.deepEqual(untracked.map(String), ['un tracked']);
  });

  test('is read up to the last whole entry wherever it was cut', () => {
    const names = ({ files, untracked }: ReturnType<typeof parseStatus>): readonly string[] => [
      ...files.map(({ path }) => path),
      ...untracked.map(String),
    ];
    const all = names(parseStatus(whole));
    for (let end = 0; end < whole.length; end++) {
      const found = names(parseStatus(whole.subarray(0, end)));
      assert.deepEqual(found, all.slice(0, found.length), `cut at ${end}`);
    }
  });

  test('keeps the bytes of names that are not UTF-8', () => {
    const name = Buffer.from([0x61, 0xff, 0x62]);
    const { untracked } = parseStatus(Buffer.concat([Buffer.from('? '), name, Buffer.from([0])]));
    assert.deepEqual(untracked, [name]);
  });
});
