import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodePages, findInPage } from './termPages.js';

suite('the pages of a search image', () => {
  const word = fc.stringMatching(/^[a-c語]{1,4}$/);
  const entries = fc
    .uniqueArray(fc.tuple(word, fc.uint8Array({ maxLength: 3000 })), {
      selector: ([term]) => term,
      maxLength: 60,
    })
    .map((all) => all.sort(([a], [b]) => (a < b ? -1 : 1)));

  test('give back each term with its documents, and all that begin so', () => {
    fc.assert(
      fc.property(entries, word, fc.boolean(), (all, wanted, isPrefix) => {
        const pages = [...encodePages(all)];
        const found = pages
          .flatMap(({ bytes }) => [...findInPage(bytes, Buffer.from(wanted), isPrefix)])
          .map(({ term, documents }) => [term.toString(), [...documents]]);
        const expected = all.filter(([term]) =>
          isPrefix ? term.startsWith(wanted) : term === wanted,
        );
        assert.deepEqual(
          found,
          expected.map(([term, documents]) => [term, [...documents]]),
        );
      }),
    );
  });

  test('begin with the term that they are found by', () => {
    fc.assert(
      fc.property(entries, (all) => {
        for (const { first, bytes } of encodePages(all)) {
          const [found] = findInPage(bytes, Buffer.alloc(0), true);
          assert.equal(found?.term.toString(), first);
        }
      }),
    );
  });

  test('that are damaged are never taken for others', () => {
    const all = ['bath', 'walrus'].map((term) => [term, Buffer.from([1, 2])] as const);
    const [page] = encodePages(all);
    assert.ok(page);
    for (let bit = 0; bit < page.bytes.length * 8; bit++) {
      const bytes = Buffer.from(page.bytes);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.throws(() => [...findInPage(bytes, Buffer.from('walrus'), false)], /damaged/);
    }
    for (let size = 0; size < page.bytes.length; size++) {
      const cut = page.bytes.subarray(0, size);
      assert.throws(() => [...findInPage(cut, Buffer.from('walrus'), false)], /damaged/);
    }
  });
});
