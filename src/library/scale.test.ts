import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { createClaudeCode } from '../agents/claude-code/source.js';
import { createCodex } from '../agents/codex/source.js';
import { headMemory } from '../agents/headMemory.js';
import type { Source, SourceQuery } from '../agents/source.js';
import { readThread } from '../agents/copies.js';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { OpenRequest, ScanReport } from '../core/engine.js';
import type { Cursor } from '../core/model/records.js';
import { ExpectedChats } from './expectedChats.js';
import { Ingest } from './ingest.js';
import { KeptHeads } from './keptHeads.js';
import { openProject } from './openProject.js';
import { TestWindows } from './testWindows.js';

/** Counts the files that this process opens and reads, and the bytes that it reads of them. */
async function costOf(body: () => Promise<unknown>): Promise<{ opened: number; bytes: number }> {
  const handle = await open(import.meta.filename, 'r');
  const prototype = Object.getPrototypeOf(handle) as {
    read: (...args: unknown[]) => Promise<{ readonly bytesRead: number }>;
  };
  await handle.close();
  const { read } = prototype;
  const handles = new Set<unknown>();
  let bytes = 0;
  prototype.read = async function counted(...args) {
    const result = await read.apply(this, args);
    bytes += result.bytesRead;
    handles.add(this);
    return result;
  };
  try {
    await body();
  } finally {
    prototype.read = read;
  }
  return { opened: handles.size, bytes };
}

const bytesReadBy = async (body: () => Promise<unknown>): Promise<number> =>
  (await costOf(body)).bytes;

suite('what a large store costs', function () {
  this.timeout(600_000);
  let windows: TestWindows;
  setup(() => (windows = new TestWindows()));
  teardown(() => windows.dispose());

  const codexLine = (cwd: string) =>
    `${JSON.stringify({ timestamp: 't', type: 'session_meta', payload: { id: 'x', cwd } })}\n`;
  const rollout = (count: number) =>
    `rollout-2026-01-05T09-00-00-0199a213-81c0-7800-8aa1-${String(count).padStart(12, '0')}.jsonl`;
  const query = (folder: string): SourceQuery => ({
    folders: [folder],
    homes: [],
    env: {},
    userHome: windows.root,
  });

  /** Looks for a folder's threads and reads what is new of each, as a scan does. */
  const scanner = (source: Source, folder: string) => {
    const cursors = new Map<string, Cursor>();
    const seen = new Map<string, string>();
    return async () => {
      const { threads, filesLookedAt } = await source.find(query(folder));
      let bytesRead = 0;
      for (const thread of threads) {
        const stamp = `${thread.bytes} ${thread.modifiedAt}`;
        if (seen.get(thread.nativeId) === stamp) continue;
        const read = await readThread(source, thread, cursors.get(thread.nativeId));
        cursors.set(thread.nativeId, read.cursor);
        seen.set(thread.nativeId, stamp);
        bytesRead += read.bytesRead;
      }
      return { threads: threads.length, filesLookedAt, bytesRead };
    };
  };

  test('a second scan of 10,000 files reads only what is new in them', async () => {
    const folder = windows.folder('work');
    const day = windows.folder('.codex/sessions/2026/01/05');
    for (let count = 0; count < 10_000; count++) {
      const cwd = count % 100 === 0 ? folder : '/home/user/other';
      writeFileSync(join(day, rollout(count)), codexLine(cwd));
    }
    const scan = scanner(createCodex(), folder);
    const first = await scan();
    assert.deepEqual([first.threads, first.filesLookedAt], [100, 10_000]);
    assert.equal(await bytesReadBy(scan), 0);
    const added = `${JSON.stringify({ timestamp: 't', type: 'event_msg', payload: {} })}\n`;
    appendFileSync(join(day, rollout(500)), added);
    let second: Awaited<ReturnType<typeof scan>> | undefined;
    const read = await bytesReadBy(async () => (second = await scan()));
    assert.equal(second?.bytesRead, added.length);
    // Twice, whether the file still begins as before is told from at most 4 KB before the new bytes.
    assert.ok(read <= added.length + 2 * 4096, `${read} bytes`);
  });

  test('a line of gigabytes costs itself: what is before and behind it is kept', async () => {
    const folder = windows.folder('work');
    const sessionId = '00000000-0000-4000-8000-000000000001';
    const writer = new ClaudeWriter({ cwd: folder, sessionId });
    writer.user('Before');
    writer.say('a', 'Done');
    const name = `claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}/${sessionId}.jsonl`;
    const path = windows.put(name, `${writer.lines.join('\n')}\n`);
    truncateSync(path, 2 ** 30);
    const before = writer.lines.length;
    writer.user('Behind');
    appendFileSync(path, `\n${writer.lines.slice(before).join('\n')}\n`);
    const agentHomes = { 'claude-code': [windows.at('claude')] };
    const { engine } = await windows.open(folder, { settings: { agentHomes } });
    const { bytesRead, problems } = await engine.scanThreads();
    assert.ok(bytesRead >= 2 ** 30 && bytesRead < 2 ** 30 + 2 ** 27, `${bytesRead} bytes`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      (await engine.listThreads(null)).map(({ turns, messages }) => [turns, messages]),
      [[2, 1]],
    );
    const { bytesRead: again } = await engine.scanThreads();
    assert.equal(again, 0);
  });

  test('a start with 10,000 files opens only those that changed since the last window', async () => {
    const folder = windows.folder('work');
    const day = windows.folder('.codex/sessions/2026/01/05');
    const at = (count: number): string => join(day, rollout(count));
    for (let count = 0; count < 10_000; count++) {
      writeFileSync(at(count), codexLine(count % 100 === 0 ? folder : '/home/user/other'));
    }
    windows.folder('store');
    /** A window of a process of its own looks at the stores once. */
    const start = async () => {
      headMemory.clear();
      const request: OpenRequest = {
        store: windows.store,
        folders: [{ name: 'work', uri: pathToFileURL(folder).href }],
        trusted: true,
        chatStores: [],
        settings: { maxFileBytes: 1, maxFiles: 1, redact: false, agentHomes: {}, pollMs: 0 },
      };
      const { store } = await openProject(request, wasmPath());
      const heads = new KeptHeads(windows.store);
      await heads.restore();
      const events = { turnEnded: () => undefined, activity: () => undefined };
      const ingest = new Ingest({
        store,
        sources: [createCodex()],
        query: () => query(folder),
        redact: undefined,
        heads,
        chats: new ExpectedChats(windows.store),
        problems: [],
        events,
      });
      let report: ScanReport | undefined;
      const cost = await costOf(async () => (report = await ingest.scan()));
      await store.close();
      return { ...cost, records: report?.recordsAdded, threads: report?.threads };
    };
    const first = await start();
    assert.ok(first.opened >= 10_000, `${first.opened} files`);
    assert.deepEqual([first.threads, first.records], [100, 100]);
    assert.deepEqual(await start(), { opened: 0, bytes: 0, records: 0, threads: 100 });
    const added = `${JSON.stringify({ timestamp: 't', type: 'event_msg', payload: {} })}\n`;
    for (const count of [500, 501]) appendFileSync(at(count), added);
    const third = await start();
    assert.deepEqual([third.threads, third.records], [100, 1]);
    // The heads of both, what is new in the one that belongs here, and the list of heads itself.
    assert.ok(third.opened <= 8 && third.bytes < 30_000, JSON.stringify(third));
    assert.deepEqual(await start(), { opened: 0, bytes: 0, records: 0, threads: 100 });
  });

  test('45 GB of old logs cost a start their first kilobytes, once', async () => {
    const gigabyte = 1024 ** 3;
    const folder = windows.folder('work');
    const put = async (path: string, head: string): Promise<void> => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, head);
      const file = await open(path, 'r+');
      await file.truncate(gigabyte);
      await file.close();
    };
    for (let count = 0; count < 30; count++) {
      const path = windows.at('.codex/sessions/2026/01/05', rollout(count));
      await put(path, codexLine('/home/user/other'));
    }
    for (let count = 0; count < 15; count++) {
      const project = `-${windows.root.slice(1)}-work-inner`.replace(/[^A-Za-z0-9]/g, '-');
      const path = windows.at('.claude/projects', project, `${count}.jsonl`);
      await put(path, `${JSON.stringify({ type: 'user', cwd: '/home/user/other' })}\n`);
    }
    for (const [source, files] of [
      [createCodex(), 30],
      [createClaudeCode(), 15],
    ] as const) {
      let looked = 0;
      const find = async () => (looked = (await source.find(query(folder))).filesLookedAt);
      const read = await bytesReadBy(find);
      assert.equal(looked, files);
      assert.ok(read > 0 && read <= files * 64 * 1024, `${read} bytes of ${files} files`);
      assert.equal(await bytesReadBy(find), 0);
    }
  });

  test('a rollout that never says where it worked costs 4 MB, and not all of it', async () => {
    const path = windows.put(`.codex/sessions/2026/01/05/${rollout(1)}`, '');
    const file = await open(path, 'r+');
    await file.truncate(1024 ** 3);
    await file.close();
    const source = createCodex();
    const read = await bytesReadBy(() => source.find(query(windows.folder('work'))));
    assert.ok(read > 0 && read <= 6 * 1024 * 1024, `${read} bytes`);
  });
});
