import assert from 'node:assert/strict';
import { isInside } from './folders.js';

suite('which folder a session belongs to', () => {
  const decides = (cwd: string, folder: string, expected: boolean) =>
    test(`${cwd} ${expected ? 'belongs to' : 'stays out of'} ${folder}`, () => {
      assert.equal(isInside(cwd, [folder]), expected);
    });

  decides('/a/b-c', '/a/b-c', true);
  decides('/a-b/c', '/a/b-c', false);
  decides('/a/b-c/deep/er', '/a/b-c', true);
  decides('/a/b-cd', '/a/b-c', false);
  decides('/a', '/a/b', false);
  decides('/A/b', '/a/b', false);
  decides('/srv', '/', true);
  decides('/a/b/', '/a/b', true);
  decides('C:\\Users\\x\\app', 'c:\\Users\\x', true);
  decides('c:/users/X/app', 'C:\\Users\\x', true);
  decides('C:\\Users\\xy', 'C:\\Users\\x', false);
  decides('D:\\app', 'C:\\app', false);
  decides('\\\\Server\\Share\\app', '\\\\server\\share', true);
  decides('/mnt/c/app', 'C:\\app', false);
});
