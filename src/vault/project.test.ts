import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gitIdentity } from '../changes/identity.js';
import { findProject } from './project.js';
import type { FoundProject } from './project.js';
import { projectFile } from './projectFile.js';
import { remoteName } from './remoteName.js';
import { temporaryFolder } from './testVault.js';

suite('projects', () => {
  const home = temporaryFolder();
  const store = (): string => join(home(), 'store');
  const at = (name: string): string => join(home(), name);

  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-C', folder, ...args],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );

  async function repository(name: string, remote?: string): Promise<string> {
    await mkdir(at(name));
    git(at(name), 'init', '-q');
    commit(at(name), `the first commit of ${name}`);
    if (remote !== undefined) git(at(name), 'remote', 'add', 'origin', remote);
    return at(name);
  }

  const commit = (folder: string, message: string): string =>
    git(folder, 'commit', '-q', '--allow-empty', '-m', message);

  function clone(from: string, name: string, remote?: string): string {
    git(home(), 'clone', '-q', from, at(name));
    if (remote !== undefined) git(at(name), 'remote', 'set-url', 'origin', remote);
    return at(name);
  }

  /** As a window does: with what git says of the folder. */
  const find = async (folder: string): Promise<FoundProject> =>
    findProject(store(), {
      uri: pathToFileURL(folder).href,
      path: folder,
      git: await gitIdentity(folder),
    });

  async function keyOf(folder: string): Promise<string> {
    const { key, problems } = await find(folder);
    assert.deepEqual(problems, []);
    return key;
  }

  const same = (
    title: string,
    make: () => Promise<readonly [before: string, after: string]>,
  ): void => {
    test(`keeps its history when ${title}`, async () => {
      const [before, after] = await make();
      assert.equal(after, before);
      assert.equal((await readdir(join(store(), 'projects'))).length, 1);
    });
  };

  suite('a project', () => {
    same('the folder is opened again', async () => {
      const folder = await repository('a');
      return [await keyOf(folder), await keyOf(folder)];
    });
    same('a folder with git is renamed', async () => {
      const before = await keyOf(await repository('a'));
      await rename(at('a'), at('b'));
      return [before, await keyOf(at('b'))];
    });
    same('a folder without git is renamed', async () => {
      await mkdir(at('a'));
      const before = await keyOf(at('a'));
      await mkdir(at('deeper'));
      await rename(at('a'), at('deeper/b'));
      return [before, await keyOf(at('deeper/b'))];
    });
    same('it gets its first commit, and is cloned afterwards', async () => {
      await mkdir(at('a'));
      const before = await keyOf(at('a'));
      git(at('a'), 'init', '-q');
      assert.equal(await keyOf(at('a')), before);
      commit(at('a'), 'first');
      assert.equal(await keyOf(at('a')), before);
      return [before, await keyOf(clone(at('a'), 'b'))];
    });
    same('it is cloned', async () => {
      const before = await keyOf(await repository('a', 'git@example.com:team/app.git'));
      return [before, await keyOf(clone(at('a'), 'b'))];
    });
    same('it is cloned the other way, over HTTPS', async () => {
      const before = await keyOf(await repository('a', 'git@example.com:team/app.git'));
      return [before, await keyOf(clone(at('a'), 'b', 'https://example.com/Team/App'))];
    });
    same('it is opened in a worktree', async () => {
      const before = await keyOf(await repository('a'));
      git(at('a'), 'worktree', 'add', '-q', at('b'));
      return [before, await keyOf(at('b'))];
    });
    same('a folder inside of it is opened', async () => {
      const before = await keyOf(await repository('a'));
      await mkdir(at('a/packages'));
      return [before, await keyOf(at('a/packages'))];
    });
    same('its remote moves to another host', async () => {
      const before = await keyOf(await repository('a', 'https://old.example/app'));
      git(at('a'), 'remote', 'set-url', 'origin', 'https://new.example/app');
      assert.equal(await keyOf(at('a')), before);
      return [before, await keyOf(clone(at('a'), 'b', 'https://new.example/app'))];
    });
    same('its history is rewritten', async () => {
      const before = await keyOf(await repository('a'));
      git(at('a'), 'commit', '-q', '--amend', '--allow-empty', '-m', 'rewritten');
      return [before, await keyOf(at('a'))];
    });
    same('git cannot be asked, as in restricted mode', async () => {
      const before = await keyOf(await repository('a'));
      const { key } = await findProject(store(), {
        uri: pathToFileURL(at('a')).href,
        path: at('a'),
      });
      return [before, key];
    });
    same('it lies on another machine', async () => {
      const uri = 'vscode-remote://ssh-remote+host/home/me/app';
      const { key: before } = await findProject(store(), { uri });
      return [before, (await findProject(store(), { uri: `${uri}/` })).key];
    });
    same('its folder was made anew in its place', async () => {
      await mkdir(at('a'));
      const before = await keyOf(at('a'));
      await rename(at('a'), at('old'));
      await mkdir(at('a'));
      await rm(at('old'), { recursive: true });
      return [before, await keyOf(at('a'))];
    });

    test('that is opened in restricted mode first is found again once git may be asked', async () => {
      const original = await keyOf(await repository('a'));
      const folder = clone(at('a'), 'b');
      const plain = { uri: pathToFileURL(folder).href, path: folder };
      await findProject(store(), plain);
      assert.equal(await keyOf(folder), original);
      assert.equal((await findProject(store(), plain)).key, original);
    });
  });

  suite('two projects', () => {
    const different = (title: string, make: () => Promise<readonly string[]>): void => {
      test(`keep their histories apart: ${title}`, async () => {
        const keys = await make();
        assert.equal(new Set(keys).size, keys.length, keys.join(' '));
      });
    };
    different('two folders', async () => {
      await mkdir(at('a'));
      await mkdir(at('b'));
      return [await keyOf(at('a')), await keyOf(at('b'))];
    });
    different('two repositories', async () => [
      await keyOf(await repository('a')),
      await keyOf(await repository('b')),
    ]);
    different('another repository where one was deleted', async () => {
      const first = await keyOf(await repository('a'));
      await repository('b');
      await rename(at('a'), at('gone'));
      await rename(at('b'), at('a'));
      await rm(at('gone'), { recursive: true });
      return [first, await keyOf(at('a'))];
    });
    different('a new folder in the place of one that was renamed', async () => {
      await mkdir(at('a'));
      const first = await keyOf(at('a'));
      await rename(at('a'), at('b'));
      assert.equal(await keyOf(at('b')), first);
      await mkdir(at('a'));
      return [first, await keyOf(at('a'))];
    });

    test('a fork and what it was forked from, each with its clones', async () => {
      const upstream = 'https://example.com/team/app';
      const fork = 'https://example.com/me/app';
      const first = await keyOf(await repository('a', upstream));
      const second = await keyOf(clone(at('a'), 'b', fork));
      assert.notEqual(first, second);
      assert.equal(await keyOf(clone(at('a'), 'c', fork)), second);
      assert.equal(await keyOf(clone(at('a'), 'd', upstream)), first);
      assert.equal(await keyOf(at('b')), second);
    });

    test('a folder that a person attached goes where it was attached to', async () => {
      await mkdir(at('a'));
      const { key } = await find(at('a'));
      const file = projectFile(store(), key);
      const identities = JSON.parse(await readFile(file, 'utf8')) as { attached: string[] };
      identities.attached.push(pathToFileURL(at('b')).href);
      await writeFile(file, JSON.stringify(identities));
      assert.equal(await keyOf(await repository('b')), key);
    });
  });

  test('a window without a folder has a place of its own, and nothing is written for it', async () => {
    const { key, folder } = await findProject(store(), undefined);
    assert.deepEqual([key, folder], ['none', join(store(), 'projects', 'none')]);
    assert.deepEqual(await readdir(home()), []);
  });

  test('a key is a plain name, whatever git is made to say', async () => {
    const { key } = await findProject(store(), {
      uri: 'file:///x',
      git: { rootCommit: '../../../../outside', remote: '../..' },
    });
    assert.match(key, /^uri-[0-9a-f]{12}$/);
  });

  test('what is known of a project is for its owner only', async function () {
    if (process.platform === 'win32') return this.skip();
    const before = process.umask(0);
    try {
      await find(await repository('a'));
    } finally {
      process.umask(before);
    }
    const file = projectFile(store(), (await find(at('a'))).key);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(file))).mode & 0o777, 0o700);
    assert.equal((await stat(join(store(), 'projects'))).mode & 0o777, 0o700);
  });

  suite('a project file', () => {
    const survives = (title: string, damage: (file: string) => Promise<unknown>): void => {
      test(`that is damaged is kept aside, said, and the history found: ${title}`, async () => {
        await mkdir(at('a'));
        const { key } = await find(at('a'));
        const file = projectFile(store(), key);
        await rm(file);
        await damage(file);
        const found = await find(at('a'));
        assert.equal(found.key, key);
        assert.ok(found.problems.length > 0 && found.problems.every(({ where }) => where === file));
        const beside = await readdir(dirname(file));
        assert.equal(beside.filter((name) => name.startsWith('project.json.2')).length, 1);
        assert.equal(await keyOf(at('a')), key);
      });
    };
    survives('0 bytes', (file) => writeFile(file, ''));
    survives('NUL bytes', (file) => writeFile(file, Buffer.alloc(300)));
    survives('text', (file) => writeFile(file, 'no JSON'));
    survives('a byte order mark', (file) => writeFile(file, '\ufeff{}'));
    survives('other JSON', (file) => writeFile(file, '{"schemaVersion":1,"folders":7}'));
    survives('a folder', (file) => mkdir(file));
    survives('too much', (file) => writeFile(file, Buffer.alloc(2_000_000, ' ')));

    test('of a newer version is said and stays as it is', async () => {
      await mkdir(at('a'));
      const { key } = await find(at('a'));
      const file = projectFile(store(), key);
      const newer = '{"schemaVersion":2,"folders":"otherwise"}';
      await writeFile(file, newer);
      const { key: after, problems } = await find(at('a'));
      assert.equal(after, key);
      assert.deepEqual(
        problems.map(({ where }) => where),
        [file],
      );
      assert.deepEqual(await readdir(dirname(file)), ['project.json']);
      assert.equal(await readFile(file, 'utf8'), newer);
    });

    test('that cannot be written is said, and the key found all the same', async () => {
      await mkdir(at('a'));
      await mkdir(store());
      await writeFile(join(store(), 'projects'), 'in the way');
      const { key, problems } = await find(at('a'));
      assert.match(key, /^dir-/);
      assert.ok(problems.length > 0);
    });
  });

  suite('a remote', () => {
    const named = (remote: string, name: string | undefined): void => {
      test(`is told by host and path: "${remote}"`, () => assert.equal(remoteName(remote), name));
    };
    const app = 'example.com/team/app';
    named('git@example.com:team/app.git', app);
    named('example.com:team/app', app);
    named('https://example.com/team/app.git', app);
    named('https://user:password@example.com/team/app/', app);
    named('ssh://git@example.com:2222/team/app.git', app);
    named('HTTPS://EXAMPLE.com/Team/App', app);
    named('git@example.com:/team/app', app);
    named('/home/me/app', undefined);
    named('../app', undefined);
    named('file:///home/me/app', undefined);
    named('C:\\work\\app', undefined);
    named('C:/work/app', undefined);
    named('', undefined);
  });
});
