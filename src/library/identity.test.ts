import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestWindows } from './testWindows.js';

/** Windows on real folders and real repositories: which sessions a person finds there. */
suite('a folder and its sessions', () => {
  let disk: TestWindows;
  setup(() => (disk = new TestWindows()));
  teardown(() => disk.dispose());

  const uri = (folder: string): string => pathToFileURL(folder).href;

  /** Works in a folder, lets something happen to it, and expects its session at another place. */
  const found = (
    title: string,
    make: () => string,
    happens: (folder: string) => string | readonly string[],
    workspace?: () => string,
  ): void => {
    test(`are found: ${title}`, async () => {
      const before = await disk.work(make(), 'Parser');
      const places = happens(disk.at('a'));
      assert.deepEqual(await disk.titles(places, workspace?.()), ['Parser']);
      const again = await disk.open(places, workspace ? { workspace: workspace() } : {});
      assert.equal(again.opened.projectKey, before.projectKey);
    });
  };
  const move = (from: string, to: string): string => {
    mkdirSync(join(disk.at(to), '..'), { recursive: true });
    renameSync(disk.at(from), disk.at(to));
    return disk.at(to);
  };
  /** As another machine or container has it: another device, inode and time of birth. */
  const madeAnew = (folder: string): string => {
    cpSync(folder, `${folder}-copy`, { recursive: true });
    rmSync(folder, { recursive: true });
    cpSync(`${folder}-copy`, folder, { recursive: true });
    rmSync(`${folder}-copy`, { recursive: true });
    return folder;
  };
  const plain = (): string => disk.folder('a');
  const repository = (): string => disk.repository('a');

  for (const [kind, make] of [
    ['with git', repository],
    ['without git', plain],
  ] as const) {
    found(`a folder ${kind} was renamed`, make, () => move('a', 'b'));
    found(`a folder ${kind} was moved`, make, () => move('a', 'deep/down/a'));
    found(`a container with a folder ${kind} was rebuilt`, make, madeAnew);
    found(
      `a folder ${kind} became one of several`,
      make,
      (a) => [a, disk.folder('c')],
      () => uri(disk.at('all.code-workspace')),
    );
    test(`are found: a folder ${kind} became the second of several`, async () => {
      const folder = make();
      await disk.work(folder, 'Parser');
      assert.deepEqual(await disk.titles([disk.folder('c'), folder]), ['Parser']);
    });
    found(
      `a workspace ${kind} was saved under a name`,
      make,
      (a) => a,
      () => uri(disk.at('named.code-workspace')),
    );
    test(`are found: a folder above one ${kind} was renamed`, async () => {
      const folder = kind === 'with git' ? disk.repository('up/a') : disk.folder('up/a');
      await disk.work(folder, 'Parser');
      move('up', 'over');
      assert.deepEqual(await disk.titles(disk.at('over/a')), ['Parser']);
    });
  }

  found('a worktree', repository, (a) => {
    disk.git(a, 'worktree', 'add', '-q', disk.at('tree'));
    return disk.at('tree');
  });
  found('a second clone', repository, (a) => {
    disk.git(disk.root, 'clone', '-q', a, disk.at('clone'));
    return disk.at('clone');
  });
  found(
    'a repository without a commit',
    () => {
      disk.git(plain(), 'init', '-q');
      return disk.at('a');
    },
    () => move('a', 'b'),
  );
  found(
    'a shallow clone of what has a remote',
    () => disk.repository('a', 'https://example.com/team/app'),
    (a) => {
      writeFileSync(join(a, 'b.txt'), 'b');
      disk.git(a, 'add', '.');
      disk.git(a, 'commit', '-q', '-m', 'second');
      disk.git(disk.root, 'clone', '-q', '--depth', '1', uri(a), disk.at('shallow'));
      disk.git(disk.at('shallow'), 'remote', 'set-url', 'origin', 'git@example.com:team/app.git');
      assert.equal(disk.git(disk.at('shallow'), 'rev-list', '--count', 'HEAD').trim(), '1');
      return disk.at('shallow');
    },
  );

  test('are found: a shallow clone came first, and was completed', async () => {
    const origin = disk.repository('a', 'https://example.com/team/app');
    writeFileSync(join(origin, 'b.txt'), 'b');
    disk.git(origin, 'add', '.');
    disk.git(origin, 'commit', '-q', '-m', 'second');
    disk.git(disk.root, 'clone', '-q', '--depth', '1', uri(origin), disk.at('shallow'));
    const shallow = disk.at('shallow');
    disk.git(shallow, 'remote', 'set-url', 'origin', 'https://example.com/team/app');
    await disk.work(shallow, 'Parser');
    assert.deepEqual(await disk.titles(origin), ['Parser']);
    disk.git(shallow, 'fetch', '-q', '--unshallow', origin);
    assert.deepEqual(await disk.titles(shallow), ['Parser']);
    assert.deepEqual(await disk.titles(origin), ['Parser']);
  });

  test('are found: the worktree that they were made in was removed', async () => {
    const main = disk.repository('a');
    disk.git(main, 'worktree', 'add', '-q', disk.at('tree'));
    await disk.work(disk.at('tree'), 'In the worktree');
    disk.git(main, 'worktree', 'remove', disk.at('tree'));
    assert.deepEqual(await disk.titles(main), ['In the worktree']);
  });

  test('are found: two windows have databases of their own for one folder at once', async () => {
    const folder = disk.repository('a');
    const one = await disk.open(folder, { view: 'one' });
    const two = await disk.open(folder, { view: 'two' });
    const first = await one.engine.createSession({ title: 'One', status: 'active' });
    const second = await two.engine.createSession({ title: 'Two', status: 'active' });
    await Promise.all([disk.save(one, first.id), disk.save(two, second.id)]);
    for (const { engine } of [one, two]) {
      await engine.scanThreads();
      const titles = (await engine.listSessions()).map(({ title }) => title);
      assert.deepEqual(titles.toSorted(), ['One', 'Two']);
    }
  });

  /** Works in one folder, and expects nothing of it in another. */
  const apart = (title: string, make: () => readonly [string, string]): void => {
    test(`stay apart: ${title}`, async () => {
      const [one, other] = make();
      await disk.work(one, 'One');
      assert.deepEqual(await disk.titles(other), []);
      await disk.work(other, 'Other');
      assert.deepEqual(await disk.titles(one), ['One']);
      assert.deepEqual(await disk.titles(other), ['Other']);
    });
  };
  apart('two folders', () => [plain(), disk.folder('b')]);
  apart('two repositories', () => [repository(), disk.repository('b')]);
  apart('two repositories with one remote name, and no address', () => [
    disk.repository('a', '/somewhere'),
    disk.repository('b', '/somewhere'),
  ]);
  apart('two repositories without a commit', () => {
    const pair = [plain(), disk.folder('b')] as const;
    for (const folder of pair) disk.git(folder, 'init', '-q');
    return pair;
  });
  apart('a fork and what it was forked from', () => {
    const upstream = disk.repository('a', 'https://example.com/team/app');
    disk.git(disk.root, 'clone', '-q', upstream, disk.at('fork'));
    disk.git(disk.at('fork'), 'remote', 'set-url', 'origin', 'https://example.com/me/app');
    return [upstream, disk.at('fork')];
  });

  test('stay apart: a repository was deleted, and another one made in its place', async () => {
    const before = await disk.work(repository(), 'Before');
    rmSync(disk.at('a'), { recursive: true });
    disk.put('a/other.txt', 'other');
    disk.git(disk.at('a'), 'init', '-q');
    disk.git(disk.at('a'), 'add', '.');
    disk.git(disk.at('a'), 'commit', '-q', '-m', 'another history');
    const { engine, opened } = await disk.open(disk.at('a'));
    assert.notEqual(opened.projectKey, before.projectKey);
    assert.deepEqual(await engine.listSessions(), []);
  });

  test('stay apart: a folder was renamed, and a new one made in its place', async () => {
    await disk.work(plain(), 'Before');
    const moved = move('a', 'b');
    assert.deepEqual(await disk.titles(moved), ['Before']);
    assert.deepEqual(await disk.titles(plain()), []);
  });

  suite('where they are from', () => {
    const here = async (place: string | readonly string[], workspace?: string) =>
      (await disk.open(place, workspace === undefined ? {} : { workspace })).opened.here;

    test('a folder that was renamed twice still counts those of its old names as its own', async () => {
      const a = plain();
      await disk.work(a, 'Parser');
      await disk.titles(move('a', 'b'));
      assert.deepEqual(await here(move('b', 'c')), [disk.at('c'), a, disk.at('b')].map(uri));
    });
    test('a clone does not count those of the other clone', async () => {
      await disk.work(repository(), 'Parser');
      disk.git(disk.root, 'clone', '-q', disk.at('a'), disk.at('b'));
      assert.deepEqual(await here(disk.at('b')), [uri(disk.at('b'))]);
    });
    test('a workspace counts those of its folders', async () => {
      const file = uri(disk.at('all.code-workspace'));
      assert.deepEqual(await here([plain(), disk.folder('b')], file), [
        file,
        uri(disk.at('a')),
        uri(disk.at('b')),
      ]);
    });
  });

  suite('the session that a window goes on with', () => {
    const goesOn = (
      title: string,
      open: () => Promise<{ readonly activeSessionId?: string | undefined }>,
    ): void => {
      test(title, async () => {
        const { session } = await disk.work(plain(), 'Parser');
        assert.equal((await open()).activeSessionId, session.id);
      });
    };
    const opened = async (folders: string | readonly string[], workspace?: string) =>
      (await disk.open(folders, workspace === undefined ? {} : { workspace })).opened;
    goesOn('is its own', () => opened(disk.at('a')));
    goesOn('is the one of before it was renamed', () => opened(move('a', 'b')));
    goesOn('is its folder’s, when it has several for the first time', () =>
      opened([disk.at('a'), disk.folder('b')], uri(disk.at('all.code-workspace'))),
    );
    test('is not its folder’s, once it had one itself', async () => {
      const file = uri(disk.at('all.code-workspace'));
      const own = await disk.work([plain()], 'Own', file);
      await disk.work(plain(), 'Of the folder');
      assert.equal((await opened([disk.at('a')], file)).activeSessionId, own.session.id);
    });
    for (const workspace of [
      'untitled:1764500000000',
      pathToFileURL('/data/User/Workspaces/Untitled-1764500000000.code-workspace').href,
    ]) {
      test(`is that of the workspace without a name that was saved under one: ${workspace}`, async () => {
        await disk.work(plain(), 'Of the folder');
        const folders = [disk.at('a'), disk.folder('b')];
        const unnamed = await disk.work(folders, 'Of the workspace', workspace);
        const file = uri(disk.at('all.code-workspace'));
        assert.equal((await opened(folders, file)).activeSessionId, unnamed.session.id);
        assert.notEqual((await opened(disk.at('a'))).activeSessionId, unnamed.session.id);
      });
    }
    test('is not taken from a folder that was renamed and is still there', async () => {
      await disk.work(repository(), 'Parser');
      const folder = move('a', 'b');
      assert.notEqual((await opened(folder)).activeSessionId, undefined);
      disk.git(folder, 'worktree', 'add', '-q', '-b', 'fix', disk.at('c'));
      assert.equal((await opened(disk.at('c'))).activeSessionId, undefined);
    });
    test('is never that of another clone', async () => {
      await disk.work(repository(), 'Parser');
      disk.git(disk.root, 'clone', '-q', disk.at('a'), disk.at('b'));
      assert.equal((await opened(disk.at('b'))).activeSessionId, undefined);
    });
  });
});
