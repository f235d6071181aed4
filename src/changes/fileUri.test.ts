import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileUri } from './fileUri.js';

suite('the URI of a folder', () => {
  const names = (platform: NodeJS.Platform, path: string, uri: string): void => {
    test(`is the one that VS Code gives it: ${path}`, () => {
      assert.equal(fileUri(path, platform), uri);
    });
  };
  names('linux', '/home/me/work', 'file:///home/me/work');
  names('linux', '/a b/(c)!/d@e+f=g', 'file:///a%20b/%28c%29%21/d%40e%2Bf%3Dg');
  names('linux', '/ü/数据', 'file:///%C3%BC/%E6%95%B0%E6%8D%AE');
  names('linux', '/c:/odd\\name', 'file:///c%3A/odd%5Cname');
  names('win32', 'C:\\Users\\me', 'file:///c%3A/Users/me');
  names('win32', '\\\\server\\share\\x', 'file://server/share/x');

  test('leads back to the folder', () => {
    for (const name of ["a b'(c)*!", '数据', 'x%41&y', '100%']) {
      assert.equal(fileURLToPath(fileUri(resolve(name))), resolve(name));
    }
  });
});
