import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { Command } from '../../src/extension/ids.js';
import { cleanupDocument, statisticsDocument } from '../../src/extension/views/statistics.js';
import { holds } from '../../src/vault/testProject.js';
import { ClaudeWriter } from '../agents/claudeRecords.js';
import { editorData } from './editorData.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { clearWindow, run, tabsNow, until } from './windowState.js';

suite('what is stored', () => {
  teardown(() => clearWindow());

  test('is counted: saves, snapshots by session, sizes by kind, growth', async () => {
    const { sessionId } = await call(Command.save, { label: 'one' });
    await call(Command.save, { label: 'two' });
    const { projects } = await call(Command.showStatistics, {});
    const [project] = projects;
    assert.ok(project);
    assert.ok(project.saves.ok >= 2);
    const own = project.snapshotsBySession.find(({ id }) => id === sessionId);
    assert.ok((own?.snapshots ?? 0) >= 2);
    assert.ok((project.frames['snapshot']?.bytes ?? 0) > 0);
    assert.ok(project.growth.length > 0);
  });

  test('counts how restores ended', async () => {
    const { sessionId, snapshotId } = await call(Command.save, { label: 'to go back to' });
    const restores = async () => {
      const [project] = (await call(Command.showStatistics, {})).projects;
      return (project?.restores.whole ?? 0) + (project?.restores.partial ?? 0);
    };
    const before = await restores();
    await call(Command.load, { sessionId, snapshotId });
    assert.equal(await restores(), before + 1);
  });

  test('is shown as a page, also what would go', async () => {
    await call(Command.save, { label: 'one' });
    await run(Command.showStatistics);
    await until('the page is open', () => tabsNow().includes('Statistics'));
    await run(Command.previewCleanup);
    await until('the other page is open', () => tabsNow().includes('What would go'));
  });

  test('is laid out in tables that titles cannot break', () => {
    const page = statisticsDocument(
      {
        projects: [
          {
            key: 'k',
            files: { open: { count: 1, bytes: 10 }, closed: none, sealed: none },
            frames: { records: { count: 2, bytes: 2048 } },
            sessions: 1,
            threads: 2,
            snapshots: 3,
            snapshotsBySession: [{ id: 'a', title: 'a | b\n# c', snapshots: 3 }],
            growth: [{ day: '2026-11-30', bytes: 2048 }],
            saves: { ok: 5, failed: 1, p50: 20, p99: Infinity },
            restores: { whole: 1, partial: 0, failed: 0 },
            problems: [],
          },
        ],
      },
      0,
    );
    assert.match(page, /Half of the saves took up to 20 ms, 99% of them more than 10 s\./);
    assert.match(page, /\| Conversations \| 2 \| 2 KB \|/);
    assert.match(page, /None yet/);
    const row = page.split('\n').find((line) => line.includes('# c'));
    assert.match(row ?? '', /^\| a \\\| b .*\| 3 \|$/);
    assert.doesNotMatch(page, /undefined|NaN/);
    const going = { deadSessions: 1, deadSnapshots: 2, liveBytes: 3, goingBytes: 4 };
    assert.match(cleanupDocument(going), /\| Sessions that you deleted \| 1 \|/);
  });

  test('is forgotten: a session, counted first, and gone from the list', async () => {
    const { id } = await call(Command.newSession, { title: 'To be forgotten' });
    await call(Command.newSession, { title: 'Goes on' });
    const counted = await call(Command.forget, { sessionId: id, dryRun: true });
    assert.ok(counted.removed >= 2);
    assert.ok((await call(Command.list, {})).some((session) => session.id === id));
    const { removed } = await call(Command.forget, { sessionId: id });
    assert.ok(removed >= counted.removed);
    assert.ok(!(await call(Command.list, {})).some((session) => session.id === id));
    await assert.rejects(async () => call(Command.forget, { sessionId: 'none' }), /no session/);
    await assert.rejects(async () => call(Command.forget, { text: 'abc' }), /too short/);
  });

  test('is forgotten: a conversation, out of every file, logs too, until that is taken back', async () => {
    const words = 'quokkaberry zwielichtfarn';
    const nativeId = '5c0ffee0-0000-4000-8000-00000000f06e';
    const threadId = `claude-code:${nativeId}`;
    const folder = path.join(hostRun.home, '.claude/projects', encodeFolder(hostRun.workspace));
    mkdirSync(folder, { recursive: true });
    const to = new ClaudeWriter({ sessionId: nativeId, cwd: hostRun.workspace });
    to.user(words);
    to.say('m1', `${words} again`);
    writeFileSync(path.join(folder, `${nativeId}.jsonl`), to.text);
    await call(Command.refresh);
    await call(Command.newSession, {});
    await call(Command.save, { label: 'with a conversation' });
    const isFound = async (): Promise<boolean> =>
      (await call(Command.search, { query: 'quokkaberry' })).length > 0;
    assert.equal(await isFound(), true);
    assert.equal(await holds(editorData, words), true);

    const counted = await call(Command.forget, { threadId, dryRun: true });
    assert.ok(counted.removed > 0);
    assert.equal(await isFound(), true);
    await call(Command.forget, { threadId });
    await call(Command.refresh);
    assert.equal(await isFound(), false);
    const logs = readdirSync(editorData, { recursive: true, encoding: 'utf8' });
    assert.ok(logs.some((name) => name.endsWith('Keepthread.log')));
    assert.equal(await holds(editorData, words), false);
    await assert.rejects(
      async () => call(Command.forget, { threadId: 'claude-code:none' }),
      /no conversation/,
    );

    await call(Command.takeBackForgetting, { threadId });
    assert.equal(await isFound(), true);
    await assert.rejects(
      async () => call(Command.takeBackForgetting, { threadId }),
      /was not forgotten/,
    );
    rmSync(path.join(folder, `${nativeId}.jsonl`));
  });

  test('is listed again as it was when the list is made again', async () => {
    const before = (await call(Command.list, {})).map(({ id }) => id);
    await run(Command.rebuild);
    assert.deepEqual(
      (await call(Command.list, {})).map(({ id }) => id),
      before,
    );
  });
});

const none = { count: 0, bytes: 0 };
