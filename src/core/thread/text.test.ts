import assert from 'node:assert/strict';
import { cut, fileSize, oneLine, visible } from './text.js';

suite('text of transcripts', () => {
  const shows = (title: string, text: string, expected: string) =>
    test(title, () => assert.equal(visible(text), expected));

  shows('colours of a terminal do not clutter a result', '\u001b[1;31mred\u001b[0m', 'red');
  shows(
    'a link code of a terminal does not hide its text',
    '\u001b]8;;http://x\u0007go\u001b]8;;\u0007',
    'go',
  );
  shows('a bare escape is seen', 'a\u001bb', 'a[U+001B]b');
  shows('text cannot run backwards unseen', 'x\u202Etxt.exe', 'x[U+202E]txt.exe');
  shows('isolates and marks are seen', '\u2066a\u2069\u200f', '[U+2066]a[U+2069][U+200F]');
  shows('invisible tag letters are seen', `a${String.fromCodePoint(0xe0041)}`, 'a[U+E0041]');
  shows('a half of a pair does not break the document', 'a\ud800b', 'a[U+D800]b');
  shows('line ends of every system end a line', 'a\r\nb\rc', 'a\nb\nc');
  shows('separators that editors warn about are seen', 'a\u2028b', 'a[U+2028]b');
  shows('emoji and joined letters stay whole', '👩‍💻 नमस्ते ف‌ا', '👩‍💻 नमस्ते ف‌ا');

  test('a title is one line without tricks', () => {
    assert.equal(oneLine('a\n\t b\u202e \u001b[31mc\u001b[0m', 50), 'a b c');
    assert.equal(oneLine('x'.repeat(300), 200), `${'x'.repeat(200)}…`);
    assert.equal(oneLine(' '.repeat(5000) + 'x', 200), '…');
  });

  test('a cut never splits a pair and says how much is missing', () => {
    assert.deepEqual(cut('ab😀cd', 3), { kept: 'ab', more: 4 });
    assert.deepEqual(cut('ab😀cd', 4), { kept: 'ab😀', more: 2 });
    assert.deepEqual(cut('abc', 3), { kept: 'abc', more: 0 });
  });

  test('sizes are read at a glance', () => {
    assert.deepEqual([900, 12_595, 3_500_000].map(fileSize), ['900 B', '12.3 KB', '3.3 MB']);
  });
});
