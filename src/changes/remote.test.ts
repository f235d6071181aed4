import assert from 'node:assert/strict';
import { readRemote, withoutCredentials } from './remote.js';
import { git, TestFolders } from './testRepository.js';

suite('a remote address that is kept', () => {
  const keeps = (given: string, expected: string | undefined): void => {
    test(`holds no credentials: ${given}`, () => {
      assert.equal(withoutCredentials(given), expected);
    });
  };
  keeps('https://host.example/a/b.git', 'https://host.example/a/b.git');
  keeps('https://token@host.example/a.git', 'https://host.example/a.git');
  keeps('https://user:pass@host.example:8443/a.git', 'https://host.example:8443/a.git');
  keeps('https://user:p@ss:word@host.example/a', 'https://host.example/a');
  keeps('https://:pass@host.example/a', 'https://host.example/a');
  keeps('HTTPS://user:pass@host.example', 'HTTPS://host.example');
  keeps('https://user:pass@[::1]:80/a', 'https://[::1]:80/a');
  keeps('https://host.example/a?access_token=secret', 'https://host.example/a');
  keeps('https://host.example/a#secret', 'https://host.example/a');
  keeps('https://host.example?token=a@b', 'https://host.example');
  keeps('https://host.example/@scope/a', 'https://host.example/@scope/a');
  keeps('ssh://git:pass@host.example:22/a', 'ssh://host.example:22/a');
  keeps('helper::https://user:pass@host.example/a', 'helper::https://host.example/a');
  keeps('https://user:pa/ss@host.example/a', undefined);
  keeps('https://user:pa?ss@host.example/a', undefined);
  keeps('git@host.example:a/b.git', 'git@host.example:a/b.git');
  keeps('file:///home/me/a.git', 'file:///home/me/a.git');
  keeps('/home/me/a.git', '/home/me/a.git');
  keeps('C:\\work\\a.git', 'C:\\work\\a.git');
});

suite('the remote of a repository', () => {
  const folders = new TestFolders();
  teardown(() => folders.remove());

  const picks = (
    title: string,
    config: readonly (readonly string[])[],
    expected: string | undefined,
  ): void => {
    test(title, async () => {
      const root = folders.repository();
      for (const args of config) git(root, 'config', '--add', ...args);
      assert.equal(await readRemote(root, {}), expected);
    });
  };
  picks('is none where there is none', [], undefined);
  picks(
    'is origin, wherever it stands',
    [
      ['remote.fork.url', 'https://host.example/fork'],
      ['remote.origin.url', 'https://user:pass@host.example/origin'],
      ['remote.origin.pushurl', 'https://host.example/push'],
    ],
    'https://host.example/origin',
  );
  picks(
    'is the first one without an origin',
    [
      ['remote.b.url', 'https://host.example/b'],
      ['remote.a.url', 'https://host.example/a'],
    ],
    'https://host.example/b',
  );
  picks(
    'takes no token from a rule that puts one in',
    [
      ['remote.origin.url', 'https://host.example/a'],
      ['url.https://secret@host.example/.insteadOf', 'https://host.example/'],
    ],
    'https://host.example/a',
  );
});
