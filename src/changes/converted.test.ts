import assert from 'node:assert/strict';
import type { Conversion } from './converted.js';
import { conversionOf } from './converted.js';

suite('whether a patch gives a file’s bytes back', () => {
  const decides = (
    expected: Conversion,
    attributes: Readonly<Record<string, string>>,
    autocrlf = 'false',
    eol = 'lf',
  ): void => {
    const given = Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
    const title = [...given, `autocrlf=${autocrlf}`, `eol=${eol}`].join(' ');
    test(`${title}: ${expected}`, () => {
      assert.equal(conversionOf(attributes, { autocrlf, eol }), expected);
    });
  };
  const text = 'unspecified';
  decides('none', { text });
  decides('none', { text }, 'false', 'crlf');
  decides('none', { text: 'unset' }, 'true');
  decides('none', { text: 'unset', eol: 'crlf' });
  decides('none', { filter: 'unset', ident: 'unset', text });
  decides('whenCr', { text: 'auto' });
  decides('whenCr', { text: 'set' });
  decides('whenCr', { text, crlf: 'set' });
  decides('whenCr', { text }, 'input');
  decides('whenCr', { text: 'auto' }, 'input', 'crlf');
  decides('whenCr', { text: 'auto', eol: 'lf' }, 'true');
  decides('always', { text: 'auto' }, 'false', 'crlf');
  decides('always', { text }, 'true');
  decides('always', { text, eol: 'crlf' });
  decides('always', { filter: 'lfs', text: 'unset' });
  decides('always', { ident: 'set', text });
  decides('always', { 'working-tree-encoding': 'UTF-16', text: 'set' });
});
