import assert from 'node:assert/strict';
import { loadCountTokens } from './tokens.js';

suite('tokens', () => {
  const counts = (what: string, text: string, tokens: number): void => {
    test(`${what} is counted`, async () => {
      assert.equal((await loadCountTokens())(text), tokens);
    });
  };
  counts('nothing', '', 0);
  counts('prose', 'hello world', 2);
  counts('Chinese', '你好，世界', 6);
  counts('a mark that means something to a tokenizer', '<|endoftext|>', 7);

  test('text without a space, half a pair and NUL cost no more than their length', async () => {
    const count = await loadCountTokens();
    const texts = ['a'.repeat(300_000), '\ud800', '\0'.repeat(1000), '好'.repeat(10_000)];
    for (const text of texts) assert.ok(count(text) <= 3 * text.length);
  });
});
