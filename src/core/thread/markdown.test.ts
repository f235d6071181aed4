import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codeBlock, codeSpan, embed, escapeMarkdown } from './markdown.js';

suite('Markdown of transcripts', () => {
  const embeds = (title: string, text: string, expected: string) =>
    test(title, () => assert.equal(embed(text).join('\n'), expected));

  embeds('an answer cannot pass for the next prompt', '## 4 · You', '#### 4 · You');
  embeds(
    'a heading in a list or quote is pushed down as well',
    '- # a\n> ## b',
    '- ### a\n> #### b',
  );
  embeds('an underlined heading stays text', 'Title\n===', 'Title\n\\===');
  embeds('a rule between paragraphs stays a rule', 'a\n\n---\nb', 'a\n\n---\nb');
  embeds('comments in code keep their marks', '```sh\n# run\n```', '```sh\n# run\n```');
  embeds('a block left open is closed', '```js\nlet a', '```js\nlet a\n```');
  embeds('a longer fence is closed by one of its length', '````\n```\n# a', '````\n```\n# a\n````');
  embeds('a fence in a list hides no heading', '- ```\n## 9 · You', '- ```\n#### 9 · You');
  embeds('an indented fence hides no heading', '    ```\n## 9 · You', '    ```\n#### 9 · You');
  embeds('HTML is shown, not run', 'a <script>x</script>', 'a \\<script>x\\</script>');
  embeds('a comment hides nothing', '<!-- rest', '\\<!-- rest');
  embeds('a picture is not fetched', '![x](https://a/b.png)', '\\![x](https://a/b.png)');
  embeds(
    'types in code stay as written',
    'use `Map<string>` if a < b',
    'use `Map<string>` if a < b',
  );
  embeds('code over two lines hides no HTML', '`a\nb` <img> `', '`a\nb` \\<img> `');
  embeds('an escaped backtick hides no HTML', '\\` <img> `', '\\` \\<img> `');

  test('nothing inside a code block can close it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '~', '\n', 'a', ' ') }), (text) => {
        const [open = '', ...rest] = codeBlock(text);
        const inner = rest.slice(0, -1);
        assert.equal(inner.join('\n'), text);
        assert.ok(!inner.some((line) => new RegExp(`^ {0,3}${open}`).test(line)));
      }),
    );
  });

  test('nothing inside a code span can close it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', 'a', ' ') }), (text) => {
        const span = codeSpan(text);
        const marks = /^`+/.exec(span)?.[0] ?? '';
        const runs = span.match(/`+/g) ?? [];
        assert.equal(runs.filter((run) => run.length === marks.length).length, 2);
      }),
    );
  });

  test('embedded text never leaves a block open and never has a heading of ours', () => {
    const piece = fc.constantFrom(
      '```',
      '~~~',
      '````',
      '# ',
      '## ',
      '- ',
      '> ',
      '    ',
      'a',
      '\n',
      '=',
      '-',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let fence: string | undefined;
        for (const line of embed(pieces.join(''))) {
          const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
          if (fence === undefined) {
            assert.ok(!/^ {0,3}#{1,2}(\s|$)/.test(line), line);
            if (mark && !(mark[1]?.startsWith('`') && mark[2]?.includes('`'))) fence = mark[1];
          } else if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') {
            fence = undefined;
          }
        }
        assert.equal(fence, undefined);
      }),
    );
  });

  test('a title with marks reads as it is written', () => {
    assert.equal(
      escapeMarkdown('[x](command:y) *b* snake_case _i_'),
      '\\[x](command\\:y) \\*b\\* snake_case \\_i\\_',
    );
  });

  test('a line of a million backticks is read in no time that grows with its square', () => {
    const spans = embed('`a` '.repeat(250_000))[0] ?? '';
    assert.equal(spans.length, 1_000_000);
  });
});
