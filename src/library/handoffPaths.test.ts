import assert from 'node:assert/strict';
import { newId } from '../core/model/ids.js';
import { Machine } from './testMachine.js';

const letters = [
  'plain',
  'two words',
  ' leading',
  'trailing ',
  'trailing.',
  '.hidden',
  '...',
  'ÄÖÜ ß',
];
const signs = [
  '#',
  '?',
  '%',
  '%41',
  '%2F',
  '%zz',
  '&',
  '+',
  '=',
  ';',
  ',',
  "'",
  '"',
  '`',
  '$x',
  '!',
  '^',
  '~x',
];
const scripts = [
  '项目',
  'プロジェクト',
  'проект',
  'مشروع',
  'פרויקט',
  'हिन्दी',
  'ไทย',
  '한국어',
  '한국어',
  '🚀',
  '👩‍👩‍👧',
  '🇺🇳',
];
const invisible = [
  '\u202eright',
  '\u200b',
  '\u00a0',
  '\ufeff',
  '\u2028',
  '\t',
  '\n',
  '\r\n',
  '\0',
  '\u0007',
  '\ud800',
];
const names = [
  ...letters,
  ...signs,
  ...scripts,
  ...invisible,
  'e\u0301',
  'é',
  'K',
  '\u212a',
  'a'.repeat(255),
];
const windows = [
  String.raw`C:\Work\Proj\a.ts`,
  String.raw`c:\Work\Proj\A.ts`,
  'C:/Work/Proj/a.ts',
  'C:relative.txt',
  String.raw`\\server\share\proj\a.ts`,
  String.raw`\\wsl$\Ubuntu\srv\a.ts`,
  String.raw`\\wsl.localhost\Ubuntu\srv\a.ts`,
  String.raw`\\?\C:\very\long`,
  String.raw`\\.\COM1`,
  '//server/share',
  String.raw`sub\dir\a.ts`,
  String.raw`a:stream`,
  ...['con', 'CON.txt', 'nul', 'aux.', 'LPT1', 'COM¹'],
  `C:\\${Array(30).fill('long folder').join('\\')}\\a.ts`,
];
const uris = [
  'file:///c%3A/srv/proj/a.ts',
  'file://server/share/a%20b.ts',
  'file:///srv/%E9%A1%B9%E7%9B%AE/a.ts',
  'vscode-remote://wsl%2Bubuntu/srv/a.ts',
  'vscode-remote://ssh-remote%2Bbox/srv/a%23b.ts',
  'untitled:Untitled-1',
  'git:/srv/a.ts?%7B%22ref%22%3A%22HEAD%22%7D',
  'vscode-notebook-cell:/srv/n.ipynb#W0sZmlsZQ%3D%3D',
];
const plain = [
  '/',
  '.',
  '..',
  '',
  '../../etc/passwd',
  '/etc/passwd',
  './a',
  'a//b',
  'a/./b',
  'a/../b',
  '/srv/a/',
];
const cases = ['Readme.md', 'README.md', 'readme.md'];
const paths = [
  ...names,
  ...names.map((name) => `dir ${name}/f`),
  ...windows,
  ...uris,
  ...plain,
  ...cases,
];

suite('paths of every kind (R13)', function () {
  this.timeout(900_000);

  test(`come back exactly as they were, ${paths.length} of them, from one machine to another`, async () => {
    assert.ok(paths.length >= 120);
    const ann = await new Machine().open();
    const bob = await new Machine().open();
    try {
      const places = paths.map((path) => ({ uri: path, folder: path, path }));
      const parts = {
        editors: {
          groups: [
            { tabs: places.map((place, at) => ({ kind: 'text', place, label: paths[at] })) },
          ],
          activeGroup: 0,
          views: [],
          drafts: [],
        },
        workbench: {
          terminals: paths.map((cwd) => ({ name: cwd, cwd, shellPath: cwd, commands: [] })),
          breakpoints: [],
          running: { tasks: [] },
        },
        changes: {
          repositories: [
            {
              root: 'file:///srv',
              files: paths.map((path) => ({ path, from: path, status: 'R ' })),
              untracked: paths.map((path) => ({ path, size: 1 })),
              problems: [],
            },
          ],
        },
      };
      const sessionId = newId();
      const set = { title: 'T', goal: '', status: 'paused' as const, tags: [] };
      await ann.store.appendSession({ schemaVersion: 1, sessionId, at: 1, set });
      await ann.store.appendSnapshot({
        schemaVersion: 1,
        id: newId(),
        sessionId,
        at: 2,
        reason: 'manual',
        parts: {
          editors: await ann.store.putJson(parts.editors),
          workbench: await ann.store.putJson(parts.workbench),
          changes: await ann.store.putJson(parts.changes),
        },
        threads: [],
        summary: { tabs: paths.length, changes: paths.length, turns: 0 },
      });
      const { file, redaction } = await ann.export(sessionId);
      assert.deepEqual([redaction.homes, redaction.masked], [0, []], 'what is not a home stays');
      const { sessionId: here } = await bob.import(file);
      const [snapshot] = bob.store.index.snapshots(here);
      const content = await bob.store.readSnapshot(snapshot?.id ?? '');
      const { editors, workbench, changes } = content;
      assert.deepEqual({ editors, workbench, changes }, parts);
    } finally {
      await ann.close();
      await bob.close();
    }
  });
});
