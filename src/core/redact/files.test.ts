import assert from 'node:assert/strict';
import { Redactor } from './redactor.js';

// Put together here, so that no scanner takes this file for a leak.
const token = ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join('');
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

suite('a file that holds a secret is not sent unseen', () => {
  const holds = (
    title: string,
    path: string,
    bytes: Uint8Array,
    kinds: readonly string[],
  ): void => {
    test(title, () => {
      const { findings, withheld } = new Redactor({ lane: 'share' }).file(path, bytes);
      assert.deepEqual([findings.map(({ kind }) => kind), withheld], [kinds, false]);
    });
  };
  holds('text', 'a.ts', utf8(`const t = "${token}";`), ['github-token']);
  holds('text of two bytes a character', 'a.ps1', utf16(`$t = "${token}"`), ['github-token']);
  holds('words in something else', 'a.db', utf8(`\0\x01${token}\0`), ['github-token']);
  holds('words of two bytes there', 'a.dll', Buffer.from(`\0\0${token}\0`, 'utf16le'), [
    'github-token',
  ]);
  holds('a store of keys', 'certs/site.p12', utf8('\0\x01\x02'), ['key-store']);
  holds('a key of SSH, whatever it looks like', '/x/.ssh/id_ed25519', utf8('zzz'), ['key-store']);
  holds('settings with values that have no shape', 'app/.env', utf8('CODE="blue whale 42"'), [
    'secret',
  ]);
  holds('but not their template', '.env.example', utf8('CODE="blue whale 42"'), []);
  holds('plain source', 'a.ts', utf8('export const a = 1;'), []);
  holds(
    'an image',
    'a.png',
    new Uint8Array(5000).map((_, at) => (at * 7919) & 0xff),
    [],
  );
  holds('nothing', 'id_rsa', new Uint8Array(), []);
});

test('findings are offsets in the text that comes with them', () => {
  const { findings, text = '' } = new Redactor({ lane: 'share' }).file('a', utf8(`ü ${token}`));
  assert.deepEqual(
    findings.map(({ start, end }) => text.slice(start, end)),
    [token],
  );
});

test('a file that takes too long counts as one that nobody looked at', () => {
  let time = 0;
  const redactor = new Redactor({ lane: 'share', now: () => (time += 1500) });
  assert.equal(redactor.file('a', utf8('word '.repeat(20_000))).withheld, true);
  assert.equal(redactor.report.withheld, 1);
});
