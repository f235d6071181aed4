import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { defaultStore, storeFolder } from './store.js';

suite('where the command line finds what the extension keeps', () => {
  const below = (...path: readonly string[]): string =>
    join(...path, 'User', 'globalStorage', 'keepthread.keepthread');

  const isAt = (
    title: string,
    platform: NodeJS.Platform,
    env: Readonly<Record<string, string>>,
    expected: string,
    exists: (path: string) => boolean = () => false,
  ): void => {
    test(title, () => {
      assert.equal(defaultStore({ env, userHome: '/me', platform }, exists), expected);
    });
  };
  isAt('on Linux', 'linux', {}, below('/me', '.config', 'Code'));
  isAt('on macOS', 'darwin', {}, below('/me', 'Library', 'Application Support', 'Code'));
  isAt('on Windows', 'win32', { APPDATA: '/me/Roaming' }, below('/me/Roaming', 'Code'));
  isAt('of a portable VS Code', 'linux', { VSCODE_PORTABLE: '/p' }, below('/p', 'user-data'));
  isAt(
    'on the far side of a remote window, if the extension is there only',
    'linux',
    {},
    below('/me', '.vscode-server', 'data'),
    (path) => path.includes('.vscode-server'),
  );

  test('unless it is told another folder: by option first, then by variable', () => {
    assert.equal(storeFolder('/given', { KEEPTHREAD_HOME: '/variable' }), resolve('/given'));
    assert.equal(storeFolder(undefined, { KEEPTHREAD_HOME: '/variable' }), resolve('/variable'));
    assert.match(storeFolder(undefined, { KEEPTHREAD_HOME: '' }), /keepthread\.keepthread$/);
  });
});
