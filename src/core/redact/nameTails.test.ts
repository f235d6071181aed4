import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  byWord,
  compounds,
  endings,
  mayEndSecretName,
  secretName,
  sessionCookies,
  trailing,
} from './names.js';
import { BEHIND, SECRET, tailOf } from './nameTails.js';

const listed = [...byWord.keys(), ...endings, ...compounds, ...trailing, ...sessionCookies];
const others = ['db', 'api', 'github', 'x', 'recovery', 'access', 'monkey', 'user', '12', 'П', 'é'];
const cases = [
  (word: string) => word,
  (word: string) => word.toUpperCase(),
  (word: string) => word.charAt(0).toUpperCase() + word.slice(1),
];
const names = fc
  .array(
    fc.tuple(
      fc.constantFrom(...listed, ...others),
      fc.constantFrom(...cases),
      fc.constantFrom('', '_', '-', '.', '2', '_1', ' '),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((words) => words.map(([word, inCase, sign]) => inCase(word) + sign).join(''));

suite('the quick look at the end of a name', () => {
  test('rules no name of a secret out', () => {
    fc.assert(
      fc.property(names, (name) => {
        if (secretName(name)) assert.notEqual(tailOf(name, 0, name.length) & SECRET, 0);
      }),
      { numRuns: 5000 },
    );
  });

  test('rules none out that words in front of it make one', () => {
    fc.assert(
      fc.property(names, names, (before, name) => {
        const whole = `${before} ${name}`;
        if (!/[A-Za-z]/.test(name) || !secretName(whole)) return;
        const start = before.length + 1;
        assert.notEqual(tailOf(whole, start, whole.length) & BEHIND, 0);
      }),
      { numRuns: 5000 },
    );
  });

  test('passes what every list of words names, alone or behind another', () => {
    for (const word of [...byWord.keys(), ...endings]) {
      const name = `my_${word}`;
      assert.ok(mayEndSecretName(name, name.length), name);
      assert.notEqual(tailOf(name, 0, name.length) & SECRET, 0, name);
    }
  });

  test('rules out words of code, or nothing would be saved', () => {
    for (const name of ['index', 'className', 'monkey', 'ENV', 'string', 'getValue', 'uint8']) {
      assert.equal(tailOf(name, 0, name.length) & SECRET, 0, name);
    }
  });
});
