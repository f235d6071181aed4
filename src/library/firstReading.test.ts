import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { createClaudeCode } from '../agents/claude-code/source.js';
import type { Source } from '../agents/source.js';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { OpenRequest, ReadingProgress } from '../core/engine.js';
import { writeError } from '../vault/writeError.js';
import { ExpectedChats } from './expectedChats.js';
import { FirstReading } from './firstReading.js';
import { Ingest } from './ingest.js';
import { KeptHeads } from './keptHeads.js';
import { openProject } from './openProject.js';
import { TestWindows } from './testWindows.js';

suite('the first reading of what agents wrote', () => {
  let windows: TestWindows;
  let said: (ReadingProgress | undefined)[];
  setup(() => {
    windows = new TestWindows();
    said = [];
  });
  teardown(() => windows.dispose());

  /** Conversations of one exchange each, and one as long as is asked for. */
  const write = (count: number, longBytes = 0): void => {
    const folder = windows.folder('work');
    const project = windows.folder(`claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}`);
    for (let at = 0; at < count; at++) {
      const sessionId = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
      const writer = new ClaudeWriter({ cwd: folder, sessionId });
      writer.user(`Prompt ${at}`);
      if (at === 0 && longBytes > 0) {
        for (let bytes = 0; bytes < longBytes; bytes += 100_000) {
          writer.say('m', 'x'.repeat(100_000));
        }
      }
      writer.say('last', 'Done');
      writeFileSync(`${project}/${sessionId}.jsonl`, `${writer.lines.join('\n')}\n`);
    }
  };

  /** A window's look at Claude Code's store; `onRead` is told how often the store was read before. */
  const open = async (onRead: (ingest: Ingest, reads: number) => void) => {
    const request: OpenRequest = {
      store: windows.store,
      folders: [{ name: 'work', uri: pathToFileURL(windows.at('work')).href }],
      trusted: true,
      chatStores: [],
      settings: { maxFileBytes: 1, maxFiles: 1, redact: false, agentHomes: {}, pollMs: 0 },
    };
    const { store } = await openProject(request, wasmPath());
    const source = createClaudeCode();
    let reads = 0;
    const watched: Source = {
      ...source,
      read: (...args) => {
        onRead(ingest, reads++);
        return source.read(...args);
      },
    };
    const ingest: Ingest = new Ingest({
      store,
      sources: [watched],
      query: () => ({
        folders: [windows.at('work')],
        homes: [windows.at('claude')],
        env: {},
        userHome: windows.root,
      }),
      redact: undefined,
      heads: new KeptHeads(windows.store),
      chats: new ExpectedChats(windows.store),
      problems: [],
      events: {
        turnEnded: () => undefined,
        activity: () => undefined,
        reading: (progress) => void said.push(progress),
      },
    });
    return { ingest, store };
  };

  test('it stops where it is told to, and goes on from there', async () => {
    write(8);
    const { ingest, store } = await open((running, reads) => {
      if (reads === 2) void running.pause();
    });
    const { recordsAdded } = await ingest.scan();
    // One was read before the third was begun; another one beside it may have been.
    assert.ok(recordsAdded === 2 || recordsAdded === 4, `${recordsAdded} records`);
    assert.deepEqual([ingest.isPaused, ingest.caughtUp], [true, false]);
    const [stopped] = said;
    assert.ok(stopped && stopped.done >= 1 && stopped.done <= 2, JSON.stringify(said));
    assert.deepEqual(said, [{ ...stopped, total: 8, paused: true }]);
    assert.equal(ingest.resume(), true);
    assert.equal(recordsAdded + (await ingest.scan()).recordsAdded, 8 * 2);
    assert.equal(ingest.caughtUp, true);
    assert.deepEqual(said.slice(1), [{ ...stopped, total: 8, paused: false }, undefined]);
    assert.deepEqual(
      store.index.threads(null).map(({ turns, messages }) => [turns, messages]),
      Array.from({ length: 8 }, () => [1, 1]),
    );
    await store.close();
  });

  test('a long conversation is stopped in its middle, and is whole afterwards', async () => {
    write(1, 20_000_000);
    const { ingest, store } = await open((running, reads) => {
      if (reads === 1) void running.pause();
    });
    const { recordsAdded } = await ingest.scan();
    assert.ok(recordsAdded > 0 && recordsAdded < 200, `${recordsAdded} records`);
    ingest.resume();
    assert.equal(recordsAdded + (await ingest.scan()).recordsAdded, 202);
    assert.deepEqual(
      store.index.threads(null).map(({ turns, records }) => [turns, records]),
      [[1, 202]],
    );
    await store.close();
  });

  test('of a disk that is full it is said how many conversations are missing, and they come the next time', async () => {
    write(2);
    const { ingest, store } = await open(() => undefined);
    const full = mock.method(store, 'appendRecords', () =>
      Promise.reject(writeError('packs', Object.assign(new Error(), { code: 'ENOSPC' }))),
    );
    const { recordsAdded, notSaved, problems } = await ingest.scan();
    assert.deepEqual([recordsAdded, notSaved, problems.length], [0, 2, 2]);
    assert.match(problems[0]?.message ?? '', /disk is full/);
    full.mock.restore();
    const later = await ingest.scan();
    assert.deepEqual([later.recordsAdded, later.notSaved], [2 * 2, 0]);
    await store.close();
  });

  test('once it is over nothing pauses reading any more, and of a short one nothing is said', async () => {
    write(2);
    const { ingest, store } = await open(() => undefined);
    await ingest.scan();
    await ingest.pause();
    assert.deepEqual([ingest.isPaused, said], [false, []]);
    await store.close();
  });

  test('what takes longer is said, now and then', () => {
    let now = 0;
    const reading = new FirstReading(
      (progress) => void said.push(progress),
      () => now,
    );
    for (let done = 0; done <= 30; done++) {
      now = done * 100;
      reading.note(done, 30);
    }
    reading.finish();
    assert.deepEqual(
      said.map((progress) => progress?.done),
      [10, 13, 16, 19, 22, 25, 28, undefined],
    );
  });
});
