import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeIcons, escapeMarkdown, plain } from './plainText.js';

suite('texts from elsewhere', () => {
  const label = (title: string, text: string, expected: string) =>
    test(title, () => assert.equal(plain(text, 20), expected));

  label('a label is one line', 'first\r\n\tsecond', 'first second');
  label('a label cannot turn the direction of what follows', 'a\u202eb\u2066c\u2069', 'abc');
  label('a label cannot hide in what has no width', 'a\u200bb\ufeffc', 'abc');
  label('a label holds no control characters', 'a\u0000b\u001bc\u009dd', 'abcd');
  label('a label of a long prompt is cut and says so', 'x'.repeat(1000), `${'x'.repeat(20)}…`);

  const markdown = (title: string, text: string, expected: string) =>
    test(title, () => assert.equal(escapeMarkdown(text), expected));

  markdown('a title cannot run a command', '[a](command:x)', '\\[a\\]\\(command\\:x\\)');
  markdown(
    'a title cannot load a picture',
    '![](https://a.b)',
    '\\!\\[\\]\\(https\\:\\/\\/a\\.b\\)',
  );
  markdown('a title cannot bring HTML', '<img src=x>', '\\<img src\\=x\\>');
  markdown('other languages stay as they are', '中文 été', '中文 été');

  test('no text brings markdown of its own', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(
          escapeMarkdown(text).replace(/\\[!-/:-@[-`{-~]/g, ''),
          text.replace(/[!-/:-@[-`{-~]/g, ''),
        );
      }),
    );
  });

  test('a title cannot bring an icon into a list', () =>
    assert.equal(escapeIcons('$(trash) $(sync~spin)'), '\\$(trash) \\$(sync~spin)'));
});
