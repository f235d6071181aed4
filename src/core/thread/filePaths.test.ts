import assert from 'node:assert/strict';
import { inFolders, likeliest, withoutFolder } from './filePaths.js';
import { fileMentions } from './mentions.js';

suite('files that a transcript names', () => {
  const at = (title: string, path: string, cwd: string | undefined, expected: string | undefined) =>
    test(title, () => {
      const found = inFolders(path, cwd, ['/home/a/project', '/home/a/other']);
      assert.equal(found && `${found.folder ?? '*'} ${found.relative}`, expected);
    });

  at(
    'below a folder of the window',
    '/home/a/project/src/a.ts',
    undefined,
    '/home/a/project src/a.ts',
  );
  at('in a folder with a longer name it is outside', '/home/a/project2/a.ts', undefined, undefined);
  at('relative to where the agent ran', 'a.ts', '/home/a/other/src', '/home/a/other src/a.ts');
  at(
    'in another clone it is the same place in this one',
    '/x/clone/src/a.ts',
    '/x/clone',
    '* src/a.ts',
  );
  at('upwards out of the folder it is outside', '../../etc/passwd', '/home/a/project', undefined);
  at('upwards and back it is inside', 'src/../a.ts', '/home/a/project', '/home/a/project a.ts');
  at('elsewhere on the machine it is outside', '/etc/passwd', '/home/a/project', undefined);
  at('as a file URI', 'file:///home/a/project/a.ts', undefined, '/home/a/project a.ts');
  at('of the web it is none', 'https://x.example/a.ts', undefined, undefined);
  at('as a command it is none', 'command:workbench.action.quit', undefined, undefined);
  at('with NUL it is none', 'a\0.ts', undefined, undefined);

  test('a drive is the same in any case', () => {
    const found = inFolders('c:\\p\\src\\a.ts', undefined, ['C:\\p']);
    assert.deepEqual(found, { relative: 'src/a.ts', folder: 'C:\\p' });
  });

  test('of files with one name the one in the most alike folder is taken, and none where two are', () => {
    assert.equal(likeliest('src/ui/a.ts', ['lib/ui/a.ts', 'lib/a.ts']), 'lib/ui/a.ts');
    assert.equal(likeliest('src/a.ts', ['one/a.ts', 'two/a.ts']), undefined);
    assert.equal(likeliest('src/a.ts', []), undefined);
  });

  const mentions = (title: string, text: string, expected: readonly string[]) =>
    test(title, () => {
      const found = fileMentions(text).map(({ path, line }) => `${path}${line ? ` ${line}` : ''}`);
      assert.deepEqual(found, expected);
    });
  mentions('with a folder or a line', 'see src/a.ts, b.ts:12 and c.ts', ['src/a.ts', 'b.ts 12']);
  mentions('as a search prints them', 'src/a.ts:3:7: found', ['src/a.ts 3']);
  mentions('in code marks and brackets', '`src/a.ts:1` (./b/c.py:2)', ['src/a.ts 1', './b/c.py 2']);
  mentions('of Windows', 'C:\\p\\a.ts:4', ['C:\\p\\a.ts 4']);
  mentions('addresses of the web are none', 'https://x.example/b/a.html', []);
  mentions('a line of data is not looked through', `${'x'.repeat(3000)} src/a.ts`, []);

  test('a line of slashes is looked through at once', () => {
    assert.deepEqual(fileMentions('a/'.repeat(999)), []);
  });
});

suite('a path as it is read', () => {
  const reads = (title: string, path: string, folder: string | undefined, expected: string) =>
    test(title, () => assert.equal(withoutFolder(path, folder), expected));

  reads("in the conversation's folder it is short", '/home/a/p/src/a.ts', '/home/a/p', 'src/a.ts');
  reads('on Windows too', 'C:\\p\\src\\a.ts', 'C:\\p\\', 'src\\a.ts');
  reads(
    'in a folder with a longer name it is whole',
    '/home/a/p2/a.ts',
    '/home/a/p',
    '/home/a/p2/a.ts',
  );
  reads('the folder itself is whole', '/home/a/p', '/home/a/p', '/home/a/p');
  reads('without a known folder it is whole', '/home/a/p/a.ts', undefined, '/home/a/p/a.ts');
});
