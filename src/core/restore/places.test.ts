import { strict as assert } from 'node:assert';
import type { Place } from '../model/editors.js';
import { planRestore } from './plan.js';
import { at, editors, home, saved, window } from './fixture.test.js';

suite('planRestore: folders', () => {
  const clone = { name: 'app-fix', uri: 'file:///elsewhere/app-fix' };
  const other = { name: 'lib', uri: 'file:///w/lib' };
  const opens = (
    title: string,
    before: Place,
    folders: readonly (typeof home)[],
    was: readonly (typeof home)[],
    expected: string,
  ) =>
    test(title, () => {
      const content = saved(
        editors('', { groups: [{ tabs: [{ kind: 'text', place: before, label: 'f' }] }] }),
        { folders: was },
      );
      const [step] = planRestore({ content, scope: 'all', now: window('', { folders }) }).steps;
      assert.equal(
        step?.kind === 'open' && step.tab.kind === 'text' ? step.tab.place.uri : '',
        expected,
      );
    });

  opens(
    'a file opens where it was when its folder is open',
    at('x/a b'),
    [home, clone],
    [home],
    'file:///w/app/x/a b',
  );
  opens(
    'a clone or worktree gets its own file',
    at('x/a'),
    [clone],
    [home],
    'file:///elsewhere/app-fix/x/a',
  );
  opens(
    'several folders pair by name',
    at('a', other),
    [clone, { name: 'lib', uri: 'file:///new/lib' }],
    [home, other],
    'file:///new/lib/a',
  );
  opens(
    'a folder without a counterpart keeps its files',
    at('a', other),
    [clone],
    [home, other],
    'file:///w/lib/a',
  );
  opens(
    'a file outside of all folders keeps its place',
    { uri: 'file:///etc/hosts' },
    [clone],
    [home],
    'file:///etc/hosts',
  );
  opens(
    'a remote file keeps its authority',
    { uri: 'vscode-remote://wsl%2Bubuntu/w/app/a' },
    [clone],
    [home],
    'vscode-remote://wsl%2Bubuntu/w/app/a',
  );
  opens(
    'a remote folder opens below the remote folder of this window',
    { uri: 'vscode-remote://wsl%2Bubuntu/w/app/a', folder: 'app', path: 'a' },
    [{ name: 'app', uri: 'vscode-remote://ssh-remote%2Bbox/srv/app' }],
    [{ name: 'app', uri: 'vscode-remote://wsl%2Bubuntu/w/app' }],
    'vscode-remote://ssh-remote%2Bbox/srv/app/a',
  );

  test('a diff against git follows the folder, its path inside the query too', () => {
    const place = {
      uri: 'git:/w/app/a%20b.ts?%7B%22path%22%3A%22%2Fw%2Fapp%2Fa%20b.ts%22%2C%22ref%22%3A%22HEAD%22%7D',
      folder: 'app',
      path: 'a%20b.ts',
      git: { ref: 'HEAD', path: '/w/app/a b.ts' },
    };
    const content = saved(
      editors('', {
        groups: [
          { tabs: [{ kind: 'diff', original: place, modified: at('a%20b.ts'), label: 'f' }] },
        ],
      }),
    );
    const [step] = planRestore({
      content,
      scope: 'all',
      now: window('', { folders: [clone] }),
    }).steps;
    assert.ok(step?.kind === 'open' && step.tab.kind === 'diff');
    assert.deepEqual(step.tab.original.git, { ref: 'HEAD', path: '/elsewhere/app-fix/a b.ts' });
    assert.equal(step.tab.modified.uri, 'file:///elsewhere/app-fix/a%20b.ts');
  });
});
