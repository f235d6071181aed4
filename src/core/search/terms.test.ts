import assert from 'node:assert/strict';
import { addTerms } from './terms.js';

suite('terms', () => {
  const gives = (title: string, text: string, expected: string): void => {
    test(title, () => {
      const terms = new Set<string>();
      addTerms(text, terms);
      assert.equal([...terms].sort().join(' '), expected.split(' ').sort().join(' '));
    });
  };
  gives('words without case', 'Fix the Parser', 'fix the parser');
  gives('camelCase by its parts and as a whole', 'getUserById', 'getuserbyid get user by id');
  gives('capitals and digits', 'HTTPServer2', 'httpserver2 http server 2');
  gives(
    'snake_case by its parts and their pairs',
    'my_user_service',
    'my user service my_user user_service',
  );
  gives('kebab-case and dots by their parts', 'my-app.config.ts', 'my app config ts');
  gives('digits', 'port 8080, v2', 'port 8080 v2 v 2');
  gives('accents are folded', 'Café Ünïcode', 'cafe unicode');
  gives('accents that are characters of their own are folded', 'Cafe\u0301', 'cafe');
  gives('Greek without its final letter', 'ΟΔΟΣ οδος', 'οδοσ');
  gives('Chinese by pairs, the last character alone', '全文搜索', '全文 文搜 搜索 索');
  gives('one Chinese character', '文', '文');
  gives('Japanese, whose voiced marks make other letters', 'がか', 'がか か');
  gives('Japanese with the marks apart, as macOS writes file names', 'か\u3099か', 'がか か');
  gives('narrow katakana and wide Latin', 'ｶﾞｶ ＡＢＣ', 'ガカ カ abc');
  gives('scripts that meet', 'Vue组件', 'vue 组件 件');
  gives('Korean by pairs', '한국어', '한국 국어 어');
  gives('Korean whose letters are apart', '한국어'.normalize('NFD'), '한국 국어 어');
  gives('emoji', 'ship it 🎉🎉', 'ship it 🎉');
  gives('half a surrogate pair is no word', 'a\ud83d b\udc00c', 'a b c');
  gives(
    'a hash by how it begins',
    '9f8a7c1d2e3b4a5f6e7d8c9b0a1f2e3d4c5b6a79ff',
    '9f8a7c1d2e3b4a5f6e7d8c9b0a1f2e3d4c5b6a79',
  );
  gives('a very long word by how it begins', 'x'.repeat(100_000), 'x'.repeat(40));
  gives('nothing but signs', '=> { } -- ++', '');
});
