import assert from 'node:assert/strict';
import { mayHold } from '../folders.js';
import { encodeFolder, longestName } from './folders.js';

suite('the folder name under projects/', () => {
  const encodes = (folder: string, name: string) =>
    test(`${folder.slice(0, 40)}: its sessions are found`, () => {
      assert.equal(encodeFolder(folder), name);
    });

  encodes('/home/u/My_proj.v1 (x)é', '-home-u-My-proj-v1--x--');
  encodes('/home/u/e\u0301', '-home-u-e-');
  encodes('/home/u/🚀', '-home-u---');
  encodes('/home/u/项目', '-home-u---');
  encodes('C:\\Users\\x', 'C--Users-x');
  encodes('\\\\wsl$\\Ubuntu\\home', '--wsl--Ubuntu-home');
  encodes('/a/b-c', '-a-b-c');
  encodes('/a-b/c', '-a-b-c');
  encodes('/', '-');
  encodes(`/${'a'.repeat(199)}`, `-${'a'.repeat(199)}`);
  // Hash worked out by hand from the rule: h("/" + 200 x "b") over 201 units, base 36.
  encodes(`/${'b'.repeat(200)}`, `-${'b'.repeat(199)}-${hashByRule(`/${'b'.repeat(200)}`)}`);
});

/** The rule again, with big integers instead of 32-bit arithmetic. */
function hashByRule(text: string): string {
  let hash = 0n;
  for (const unit of Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))) {
    hash = BigInt.asIntN(32, hash * 31n + BigInt(unit));
  }
  return (hash < 0n ? -hash : hash).toString(36);
}

suite('which project folders are looked into', () => {
  const long = `/home/u/${'x'.repeat(250)}`;
  const looks = (folder: string, session: string, expected: boolean) =>
    test(`a session in ${session.slice(0, 60)} for the folder ${folder.slice(0, 40)}`, () => {
      assert.equal(mayHold(encodeFolder(session), folder, longestName), expected);
    });

  looks('/home/u/app', '/home/u/app', true);
  looks('/home/u/app/', '/home/u/app', true);
  looks('/home/u/app', '/home/u/app/packages/a', true);
  looks('/home/u/app', '/home/u/apple', false);
  looks('/home/u/app', '/home/u', false);
  looks('/', '/srv/www', true);
  looks('c:\\Users\\x', 'C:\\Users\\x', true);
  looks('C:\\', 'c:\\code', true);
  looks(long, long, true);
  looks(long, `${long}/sub`, true);
  looks('/home/u', `${long}/sub`, true);
});
