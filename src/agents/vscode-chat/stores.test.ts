import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chatStoresBeside, chatStoresFor, userFolders } from './stores.js';

suite('chat stores', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'chat-stores-'));
  });
  teardown(() => rm(home, { recursive: true, force: true }));

  const workspace = async (name: string, content: unknown, user = 'User') => {
    const folder = join(home, user, 'workspaceStorage', name);
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'workspace.json'),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  };
  const under = (stores: readonly string[]) =>
    stores.map((store) => relative(home, store).replaceAll('\\', '/')).sort();

  suite('beside our own storage', () => {
    const storage = (name: string) =>
      join(home, 'User', 'workspaceStorage', name, 'keepthread.keepthread');
    const global = () => join(home, 'User', 'globalStorage', 'keepthread.keepthread');

    test('chats of the same workspace are found while an earlier window holds it, no others', async () => {
      await workspace('abc', { folder: 'file:///w' });
      await workspace('abc-1', { folder: 'file:///w' });
      await workspace('same', { folder: 'file:///w' });
      await workspace('other', { folder: 'file:///x' });
      await workspace('abcd', '{');
      for (const own of ['abc', 'abc-1']) {
        assert.deepEqual(under(await chatStoresBeside(storage(own), global())), [
          'User/workspaceStorage/abc-1/chatSessions',
          'User/workspaceStorage/abc/chatSessions',
          'User/workspaceStorage/same/chatSessions',
        ]);
      }
    });

    test('in a browser, where names are negative numbers, workspaces are kept apart', async () => {
      for (const name of ['-32774682', '-32774682-1', '-99', '-7']) {
        await mkdir(join(home, 'User', 'workspaceStorage', name), { recursive: true });
      }
      assert.deepEqual(under(await chatStoresBeside(storage('-32774682'), global())), [
        'User/workspaceStorage/-32774682-1/chatSessions',
        'User/workspaceStorage/-32774682/chatSessions',
      ]);
    });

    test('a window without a folder has the chats of such windows, in any profile', async () => {
      assert.deepEqual(under(await chatStoresBeside(undefined, global())), [
        'User/globalStorage/emptyWindowChatSessions',
        'User/globalStorage/transferredChatSessions',
      ]);
      const profile = join(
        home,
        'User',
        'profiles',
        'p1',
        'globalStorage',
        'keepthread.keepthread',
      );
      assert.deepEqual(under(await chatStoresBeside(undefined, profile)), [
        'User/globalStorage/emptyWindowChatSessions',
        'User/globalStorage/transferredChatSessions',
        'User/profiles/p1/globalStorage/emptyWindowChatSessions',
        'User/profiles/p1/globalStorage/transferredChatSessions',
      ]);
    });

    test('a storage that is not there yet has its own place', async () => {
      assert.deepEqual(under(await chatStoresBeside(storage('new'), global())), [
        'User/workspaceStorage/new/chatSessions',
      ]);
    });
  });

  suite('for a folder', () => {
    const find = (folders: readonly string[], env: Record<string, string> = {}) =>
      chatStoresFor(folders, {
        env: { VSCODE_APPDATA: home, ...env },
        userHome: join(home, 'ada'),
      });
    const uri = (...path: string[]) => pathToFileURL(join(home, ...path)).href;

    test('every build of VS Code that had the folder open is looked into', async () => {
      await workspace('a', { folder: uri('my work') }, 'Code/User');
      await workspace('b', { folder: uri('my work') }, 'Code - Insiders/User');
      await workspace('c', { folder: uri('my work', 'inner') }, 'Code/User');
      await workspace(
        'd',
        { folder: `vscode-remote://localhost:8080${new URL(uri('my work')).pathname}` },
        'ada/.vscode-server/data/User',
      );
      await workspace('e', '{"folder":', 'VSCodium/User');
      assert.deepEqual(under(await find([join(home, 'my work')])), [
        'Code - Insiders/User/workspaceStorage/b/chatSessions',
        'Code/User/workspaceStorage/a/chatSessions',
        'ada/.vscode-server/data/User/workspaceStorage/d/chatSessions',
      ]);
    });

    test('a folder of a workspace file counts, comments in the file or not', async () => {
      await writeFile(
        join(home, 'both.code-workspace'),
        '{ // mine\n "folders": [{ "path": "one" }, { "uri": "' + uri('two') + '" }] }',
      );
      await workspace('a', { workspace: uri('both.code-workspace') }, 'Code/User');
      for (const folder of ['one', 'two']) {
        assert.equal((await find([join(home, folder)])).length, 1, folder);
      }
      assert.equal((await find([join(home, 'three')])).length, 0);
    });

    test('a portable VS Code is looked into', async () => {
      await workspace('a', { folder: uri('w') }, 'portable/user-data/User');
      assert.equal(
        (await find([join(home, 'w')], { VSCODE_PORTABLE: join(home, 'portable') })).length,
        1,
      );
    });

    test('without a folder, the chats of windows without one', async () => {
      const stores = under(await find([]));
      assert.ok(stores.includes('Code/User/globalStorage/emptyWindowChatSessions'));
      assert.ok(!stores.some((store) => store.includes('workspaceStorage')));
    });
  });

  test('every system has its own place', () => {
    const first = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
      userFolders({ env, userHome: 'HOME', platform })[0]?.replaceAll('\\', '/');
    assert.equal(first('linux'), 'HOME/.config/Code/User');
    assert.equal(first('linux', { XDG_CONFIG_HOME: 'CONFIG' }), 'CONFIG/Code/User');
    assert.equal(first('darwin'), 'HOME/Library/Application Support/Code/User');
    assert.equal(first('win32'), 'HOME/AppData/Roaming/Code/User');
    assert.equal(first('win32', { APPDATA: 'DATA' }), 'DATA/Code/User');
  });
});
