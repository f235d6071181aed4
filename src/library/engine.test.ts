import assert from 'node:assert/strict';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine, OpenRequest } from '../core/engine.js';
import { isExpected } from '../core/errors.js';
import { Desk, answer, capture, prompt } from './testDesk.js';

suite('a project opened, saved and opened again', () => {
  let desk: Desk;
  setup(() => (desk = new Desk()));
  teardown(() => desk.dispose());

  test('a saved snapshot is there in the next window, with its texts and changes', async () => {
    let engine = await desk.open();
    const session = await engine.createSession({ title: 'Parser', status: 'active' });
    writeFileSync(path.join(desk.folder, 'a.txt'), 'two\n');
    const draft = {
      place: { uri: 'untitled:n' },
      untitled: true,
      languageId: 'x',
      text: 'a\ud800b',
    };
    const request = { sessionId: session.id, reason: 'manual', label: 'first' } as const;
    const saved = await engine.save(capture('a.txt', [draft]), request);
    await engine.close();

    engine = await desk.open();
    const content = await engine.readSnapshot(saved.snapshotId);
    assert.deepEqual(content.missing, []);
    const { editors, changes } = content;
    assert.deepEqual(
      editors?.groups.map(({ tabs }) => tabs.map(({ label: name }) => name)),
      [['a.txt']],
    );
    assert.deepEqual(
      changes?.repositories.map(({ files }) => files.map((file) => file.path)),
      [['a.txt']],
    );
    const texts = editors.drafts.map(({ text }) => engine.readText(text));
    assert.deepEqual(await Promise.all(texts), [draft.text]);
    assert.deepEqual(
      (await engine.listSessions()).map(({ title, snapshots }) => [title, snapshots]),
      [['Parser', 1]],
    );
  });

  for (const [what, lose] of [
    ['deleted', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file, 0)],
    ['garbage', (file: string) => writeFileSync(file, 'not a database')],
  ] as const) {
    test(`the database is ${what}: everything is there, from the packs`, async () => {
      let engine = await desk.open();
      desk.say(prompt('Write a parser'), answer('Done'));
      await engine.scanThreads();
      const session = await engine.createSession({ title: 'Parser', status: 'active' });
      await engine.save(capture('a.txt'), { sessionId: session.id, reason: 'manual' });
      const before = [await engine.listSessions(), await engine.listThreads(session.id)];
      await engine.close();
      lose(path.join(desk.root, 'view/sessions.db'));

      engine = await desk.open();
      assert.deepEqual([await engine.listSessions(), await engine.listThreads(session.id)], before);
    });
  }

  test('a window that is killed comes back to its session; a finished one is not continued', async () => {
    let engine = await desk.open();
    const session = await engine.createSession({ status: 'active' });
    await engine.save(capture('a.txt'), { sessionId: session.id, reason: 'edits' });
    engine = await desk.open();
    const again = await engine.open({} as OpenRequest);
    assert.equal(again.activeSessionId, session.id);
    await engine.updateSession(session.id, { status: 'finished' });
    await engine.close();
    const last = await (await desk.open()).open({} as OpenRequest);
    assert.equal(last.activeSessionId, undefined);
  });

  test('a snapshot equal to the last one is not stored, unless a person asks', async () => {
    const engine = await desk.open();
    const { id: sessionId } = await engine.createSession({ status: 'active' });
    const save = (label: string, reason: 'edits' | 'manual') =>
      engine.save(capture(label), { sessionId, reason });
    const first = await save('a.txt', 'edits');
    const second = await save('a.txt', 'edits');
    assert.deepEqual([second.stored, second.snapshotId], [false, first.snapshotId]);
    assert.equal((await save('b.txt', 'edits')).stored, true);
    assert.equal((await save('b.txt', 'manual')).stored, true);
    const [, changed] = await engine.listSnapshots(sessionId);
    assert.deepEqual([changed?.delta?.tabsOpened, changed?.delta?.tabsClosed], [1, 1]);
  });
});

suite('windows side by side', () => {
  let desk: Desk;
  setup(() => (desk = new Desk()));
  teardown(() => desk.dispose());

  test('what one saves the other lists, whichever writes first', async () => {
    const one = await desk.open({ view: path.join(desk.root, 'view1') });
    const two = await desk.open({ view: path.join(desk.root, 'view2') });
    const session = await one.createSession({ title: 'One', status: 'active' });
    await two.createSession({ title: 'Two', status: 'active' });
    await one.save(capture('a.txt'), { sessionId: session.id, reason: 'manual' });
    await two.scanThreads();
    await one.scanThreads();
    const titles = async (engine: Engine) =>
      (await engine.listSessions()).map(({ title }) => title).sort();
    assert.deepEqual(await titles(one), ['One', 'Two']);
    assert.deepEqual(await titles(two), ['One', 'Two']);
    assert.equal((await two.listSnapshots(session.id)).length, 1);
  });

  test('a second folder, a renamed folder: the sessions are still listed', async () => {
    const engine = await desk.open();
    const session = await engine.createSession({ title: 'One', status: 'active' });
    await engine.save(capture('a.txt'), { sessionId: session.id, reason: 'manual' });
    await engine.close();
    const other = path.join(desk.root, 'other');
    mkdirSync(other);
    const uri = (folder: string) => ({
      name: path.basename(folder),
      uri: pathToFileURL(folder).href,
    });
    for (const folders of [
      [desk.folder, other],
      [other, desk.folder],
    ]) {
      const view = path.join(desk.root, `view-${folders.indexOf(other)}`);
      const next = await desk.open({
        folders: folders.map(uri),
        workspace: 'file:///x.code-workspace',
        view,
      });
      assert.deepEqual(
        (await next.listSessions()).map(({ title }) => title),
        ['One'],
      );
      await next.close();
    }
  });

  test('restricted mode lists, and refuses to save', async () => {
    const { id } = await (await desk.open()).createSession({ title: 'One', status: 'active' });
    const engine = await desk.open({ trusted: false, view: path.join(desk.root, 'view2') });
    assert.equal((await engine.listSessions()).length, 1);
    const refused = engine.save(capture('a.txt'), { sessionId: id, reason: 'manual' });
    await assert.rejects(refused, (error) => isExpected(error, 'untrusted'));
    await assert.rejects(engine.updateSession(id, { title: 'x' }), (error) =>
      isExpected(error, 'untrusted'),
    );
  });
});
