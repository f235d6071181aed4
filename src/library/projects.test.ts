import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isExpected } from '../core/errors.js';
import { TestWindows } from './testWindows.js';

suite('a folder that a person attaches', () => {
  let disk: TestWindows;
  setup(() => (disk = new TestWindows()));
  teardown(() => disk.dispose());

  /** A folder with a session that was copied to another place, as to another disk. */
  async function moved(): Promise<string> {
    await disk.work(disk.folder('old'), 'Parser');
    cpSync(disk.at('old'), disk.at('new'), { recursive: true });
    rmSync(disk.at('old'), { recursive: true });
    assert.deepEqual(await disk.titles(disk.at('new')), []);
    return disk.at('new');
  }
  async function attach(folder: string, title = 'Parser'): Promise<void> {
    const { engine } = await disk.open(folder);
    const project = (await engine.listProjects()).find((one) => one.title === title);
    assert.ok(project);
    await engine.attach(project.key);
    await engine.close();
  }
  async function detach(folder: string): Promise<void> {
    const { engine } = await disk.open(folder);
    await engine.detach();
    await engine.close();
  }

  test('has the sessions of the project, and goes on in it', async () => {
    const folder = await moved();
    await attach(folder);
    const { engine, opened } = await disk.open(folder);
    assert.deepEqual(
      (await engine.listSessions()).map(({ title }) => title),
      ['Parser'],
    );
    assert.equal(opened.attached, true);
    const { id } = await engine.createSession({ title: 'Lexer', status: 'active' });
    await engine.updateSession(id, { status: 'paused' });
    await engine.close();
    assert.deepEqual(await disk.titles(folder), ['Lexer', 'Parser']);
  });

  test('is chosen by title, folder, last use and number of sessions; its own project is not offered', async () => {
    const before = Date.now();
    await disk.work(disk.folder('empty'), 'Deleted').then(async ({ session }) => {
      const { engine } = await disk.open(disk.at('empty'));
      await engine.updateSession(session.id, { deleted: true });
    });
    await disk.work(disk.folder('one'), 'First');
    await disk.work(disk.at('one'), 'Second');
    await disk.work(disk.folder('other'), 'Third');
    const { engine } = await disk.open(disk.at('other'));
    const projects = await engine.listProjects();
    assert.deepEqual(
      projects.map(({ title, sessions, folders }) => ({ title, sessions, folders })),
      [{ title: 'Second', sessions: 2, folders: [pathToFileURL(disk.at('one')).href] }],
    );
    assert.ok((projects[0]?.usedAt ?? 0) >= before);
  });

  test('has its own sessions back when it is detached, and the project loses nothing', async () => {
    const folder = await moved();
    await disk.work(folder, 'Before');
    await attach(folder);
    assert.deepEqual(await disk.titles(folder), ['Parser']);
    await disk.work(folder, 'Attached');
    await detach(folder);
    assert.deepEqual(await disk.titles(folder), ['Before']);
    await attach(folder, 'Attached');
    assert.deepEqual(await disk.titles(folder), ['Attached', 'Parser']);
  });

  test('stays attached when it is renamed', async () => {
    const folder = await moved();
    await attach(folder);
    assert.deepEqual(await disk.titles(folder), ['Parser']);
    renameSync(folder, disk.at('newer'));
    assert.deepEqual(await disk.titles(disk.at('newer')), ['Parser']);
    await detach(disk.at('newer'));
    assert.deepEqual(await disk.titles(disk.at('newer')), []);
  });

  test('is attached to one project at a time', async () => {
    const folder = await moved();
    await disk.work(disk.folder('third'), 'Third');
    await attach(folder);
    await attach(folder, 'Third');
    assert.deepEqual(await disk.titles(folder), ['Third']);
    await detach(folder);
    assert.deepEqual(await disk.titles(folder), []);
  });

  test('takes no other clone of its repository along', async () => {
    await disk.work(disk.folder('notes'), 'Notes');
    const repository = disk.repository('a');
    await disk.work(repository, 'Code');
    disk.git(disk.root, 'clone', '-q', repository, disk.at('clone'));
    await attach(repository, 'Notes');
    assert.deepEqual(await disk.titles(repository), ['Notes']);
    assert.deepEqual(await disk.titles(disk.at('clone')), ['Code']);
    await detach(repository);
    assert.deepEqual(await disk.titles(repository), ['Code']);
    assert.deepEqual(await disk.titles(disk.at('notes')), ['Notes']);
  });

  const refused = (title: string, reason: string, call: () => Promise<unknown>): void => {
    test(`is not: ${title}`, () => assert.rejects(call, (error) => isExpected(error, reason)));
  };
  refused('there is no such project', 'projectMissing', async () =>
    (await disk.open(disk.folder('a'))).engine.attach('git-unknown'),
  );
  refused('it was not attached', 'notAttached', async () =>
    (await disk.open(disk.folder('a'))).engine.detach(),
  );
  refused('there is no folder', 'noFolder', async () => (await disk.open([])).engine.detach());
  refused('the window is in restricted mode', 'untrusted', async () =>
    (await disk.open(disk.folder('a'), { trusted: false })).engine.attach('git-unknown'),
  );
});
