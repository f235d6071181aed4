import assert from 'node:assert/strict';
import { originOf, pathOf } from './origin.js';

suite('the folder that a session comes from', () => {
  const named = (
    title: string,
    workspace: string | undefined,
    here: readonly string[],
    expected: string | undefined,
  ): void => {
    test(title, () => assert.equal(originOf(workspace, here), expected));
  };
  const app = 'file:///home/me/app';
  named('is not said of the window’s own', app, [app], undefined);
  named(
    'nor of those that it had under an old name',
    'file:///home/me/old',
    [app, 'file:///home/me/old'],
    undefined,
  );
  named('nor where there was none', undefined, [app], undefined);
  named('nor for a slash at the end', `${app}/`, [app], undefined);
  named('is its name', 'file:///home/me/app-worktree', [app], 'app-worktree');
  named('is its name as it is read', 'file:///home/me/%E9%A1%B9%E7%9B%AE%20a', [app], '项目 a');
  named('is more where the name is the same', 'file:///home/me/clones/app', [app], 'clones/app');
  named('is the name of a workspace', 'file:///home/me/all.code-workspace', [app], 'all');
  named('is none where a workspace was never saved', 'untitled:1764500000000', [app], '');
  named(
    'nor in a remote window',
    'file:///home/me/.vscode-server/data/User/Workspaces/Untitled-1796038901050.code-workspace',
    [app],
    '',
  );
  named('on another machine', 'vscode-remote://ssh-remote%2Bbox/srv/api', [app], 'api');
  named('with a name that cannot be decoded', 'file:///home/me/50%', [app], '50%');

  const path = (uri: string, expected: string): void => {
    test(`whole: ${uri}`, () => assert.equal(pathOf(uri), expected));
  };
  path('file:///home/me/a%20b', '/home/me/a b');
  path('file:///c%3A/work/a', 'c:/work/a');
  path('untitled:1764500000000', '');
  path('vscode-remote://ssh-remote%2Bbox/srv/api', 'vscode-remote://ssh-remote%2Bbox/srv/api');
});
