import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { holds } from '../vault/testProject.js';
import type { Capture, Engine } from '../core/engine.js';
import { TestWindows, type TestWindow } from './testWindows.js';

suite('a window of two repositories', function () {
  this.timeout(900_000);
  let disk: TestWindows;
  let front: string;
  let back: string;
  setup(() => {
    disk = new TestWindows();
    front = disk.repository('front');
    back = disk.repository('back');
    process.env['CLAUDE_CONFIG_DIR'] = disk.at('claude');
  });
  teardown(async () => {
    delete process.env['CLAUDE_CONFIG_DIR'];
    await disk.dispose();
  });

  const claudeId = '11111111-2222-4333-8444-555555555555';
  /** An agent works in a folder. */
  const say = (folder: string, text: string): void => {
    const name = folder.replace(/[^A-Za-z0-9]/g, '-');
    const file = disk.at('claude', 'projects', name, `${claudeId}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const about = { type: 'user', sessionId: claudeId, cwd: folder, version: '2.1.197' };
    const timestamp = new Date().toISOString();
    const message = { role: 'user', content: text };
    const record = { ...about, uuid: 'u1', parentUuid: null, timestamp, message };
    writeFileSync(file, `${JSON.stringify(record)}\n`);
  };
  const sweep = (): Promise<void> => rm(disk.at('claude'), { recursive: true });

  const capture = (text: string): Capture => ({
    drafts: [{ place: { uri: 'untitled:1' }, untitled: true, languageId: 'plaintext', text }],
    editors: { groups: [], activeGroup: 0, views: [] },
    environment: { keepthread: '0', os: '', arch: '', node: '', folders: [], agents: {} },
  });
  const save = (engine: Engine, sessionId: string, text: string) =>
    engine.save(capture(text), { sessionId, reason: 'manual' });

  /** Drafts of a session, oldest first, of snapshots that are whole. */
  async function drafts(engine: Engine, sessionId: string): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const { id } of await engine.listSnapshots(sessionId)) {
      const { editors, missing } = await engine.readSnapshot(id);
      assert.deepEqual(missing, []);
      for (const { text } of editors?.drafts ?? []) texts.push(await engine.readText(text));
    }
    return texts.reverse();
  }
  const vault = ({ opened }: TestWindow): string => disk.at('store', 'projects', opened.projectKey);

  test('what is done to a session of one of them is in that one, whole, when it is opened alone', async () => {
    const alone = await disk.open(back);
    const { id } = await alone.engine.createSession({ title: 'before', status: 'active' });
    await save(alone.engine, id, 'written alone');
    await alone.engine.close();

    const both = await disk.open([front, back], { workspace: 'file:///both.code-workspace' });
    for (const folder of [front, back]) writeFileSync(`${folder}/new.txt`, 'not tracked, of both');
    await both.engine.updateSession(id, { title: 'after' });
    await save(both.engine, id, 'written in both');
    const own = await both.engine.createSession({ title: 'of both', status: 'active' });
    await save(both.engine, own.id, 'of both');
    await both.engine.close();

    const later = await disk.open(back);
    assert.deepEqual(
      (await later.engine.listSessions()).map(({ title, snapshots }) => [title, snapshots]),
      [['after', 2]],
    );
    assert.deepEqual(await drafts(later.engine, id), ['written alone', 'written in both']);
    assert.equal(await holds(vault(later), 'not tracked, of both'), true);
    const other = await disk.open(front);
    assert.deepEqual(
      (await other.engine.listSessions()).map(({ title }) => title),
      ['of both'],
    );
    assert.deepEqual(await drafts(other.engine, own.id), ['of both']);
    for (const text of [id, 'written in both']) {
      assert.equal(await holds(vault(other), text), false);
    }
    assert.equal(await holds(vault(later), own.id), false);
  });

  test('a conversation is with the repository that it was held in, also when its file is gone', async () => {
    say(back, 'a prompt about the back');
    const both = await disk.open([front, back]);
    const { id } = await both.engine.createSession({ title: 'of both', status: 'active' });
    await both.engine.scanThreads();
    await save(both.engine, id, 'one');
    assert.equal((await both.engine.listThreads(id)).length, 1);
    await both.engine.close();
    await sweep();

    const alone = await disk.open(back);
    const [thread] = await alone.engine.listThreads(null);
    assert.equal(thread?.firstPrompt, 'a prompt about the back');
    await alone.engine.close();
    const again = await disk.open([front, back]);
    assert.equal((await again.engine.listThreads(id))[0]?.id, thread.id);
    assert.equal(await holds(vault(again), 'a prompt about the back'), false);
  });

  test('a session that was taken in is found and brought up to date where it is, and is in no other vault', async () => {
    const sender = await disk.open(disk.folder('sender'));
    const { id } = await sender.engine.createSession({ title: 'sent', status: 'active' });
    const output = disk.at('sent.keepthread');
    const choice = { files: true, images: true, filesWithSecrets: true };
    const send = () =>
      sender.engine.exportSession({ sessionId: id, output, format: 'keepthread', choice });
    await save(sender.engine, id, 'the first draft');
    await send();
    const alone = await disk.open(back);
    assert.equal((await alone.engine.importHandoff({ file: output })).outcome, 'new');
    await alone.engine.close();

    const both = await disk.open([front, back], { workspace: 'file:///both.code-workspace' });
    assert.equal((await both.engine.importHandoff({ file: output })).outcome, 'unchanged');
    await save(sender.engine, id, 'the second draft');
    await send();
    const { outcome, sessionId } = await both.engine.importHandoff({ file: output });
    assert.equal(outcome, 'updated');
    assert.equal((await both.engine.listSessions()).length, 1);
    await both.engine.close();

    const later = await disk.open(back);
    assert.deepEqual(await drafts(later.engine, sessionId), [
      'the first draft',
      'the second draft',
    ]);
    const other = await disk.open(front);
    assert.deepEqual(await other.engine.listSessions(), []);
    for (const text of [sessionId, 'the first draft', 'the second draft']) {
      assert.equal(await holds(vault(other), text), false, text);
    }
  });

  test('a session that is forgotten takes its conversation with it, whichever vault that is in', async () => {
    say(back, 'a prompt about the back');
    const both = await disk.open([front, back]);
    const { id } = await both.engine.createSession({ title: 'of both', status: 'active' });
    await both.engine.scanThreads();
    await save(both.engine, id, 'one');
    const { removed } = await both.engine.previewForget({ session: id });
    const counts = await both.engine.forget({ session: id });
    assert.equal(counts.removed, removed);
    assert.equal(await holds(disk.store, 'a prompt about the back'), false);
    await both.engine.scanThreads();
    assert.equal(await holds(disk.store, 'a prompt about the back'), false);
  });
});
