import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { createClaudeCode } from '../agents/claude-code/source.js';
import { threadId } from '../core/model/ids.js';
import { SessionIndex } from '../vault/sessionIndex.js';
import { wasm } from '../vault/testFrames.js';
import { FaultyIo } from '../vault/testIo.js';
import { openVault } from '../vault/vault.js';
import { ExpectedChats } from './expectedChats.js';
import { Ingest } from './ingest.js';
import { KeptHeads } from './keptHeads.js';
import { Store } from './store.js';
import { TestWindows } from './testWindows.js';

suite('long conversations that are taken in while the disk fails', function () {
  this.timeout(120_000);
  let windows: TestWindows;
  setup(() => (windows = new TestWindows()));
  teardown(() => windows.dispose());

  const source = createClaudeCode();

  /** Conversations of several pieces each, by the id of their thread. */
  const write = (): ReadonlyMap<string, readonly string[]> => {
    const folder = windows.folder('work');
    const project = windows.folder(`.claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}`);
    const written = new Map<string, readonly string[]>();
    for (const mark of ['a', 'b']) {
      const sessionId = `00000000-0000-4000-8000-00000000000${mark}`;
      const writer = new ClaudeWriter({ cwd: folder, sessionId });
      writer.user('Go on');
      for (let at = 0; at < 50; at++) writer.say(`m${at}`, `${at} ${mark.repeat(100_000)}`);
      writeFileSync(`${project}/${sessionId}.jsonl`, `${writer.lines.join('\n')}\n`);
      written.set(threadId('claude-code', sessionId), writer.lines);
    }
    return written;
  };

  const openStore = async (name: string, io: FaultyIo): Promise<Store> => {
    const { index } = await SessionIndex.open({ file: undefined, wasm });
    const store = new Store([await openVault({ folder: windows.at(name), io })], index);
    await store.refresh(() => undefined);
    return store;
  };

  const scan = async (store: Store): Promise<readonly string[]> => {
    const ingest = new Ingest({
      store,
      sources: [source],
      query: () => ({ folders: [windows.at('work')], homes: [], env: {}, userHome: windows.root }),
      redact: undefined,
      heads: new KeptHeads(windows.store),
      chats: new ExpectedChats(windows.store),
      problems: [],
      events: { turnEnded: () => undefined, activity: () => undefined },
    });
    return (await ingest.scan()).problems.map(({ where }) => where);
  };

  const kept = async (store: Store, id: string): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const record of store.records(id, 0, Infinity)) {
      lines.push(Buffer.from(record).toString());
    }
    return lines;
  };

  test('whichever call fails: what was kept is a beginning, and the next look has the rest, once', async () => {
    const written = write();
    const healthy = new FaultyIo();
    const all = await openStore('healthy', healthy);
    assert.deepEqual(await scan(all), []);
    await all.close();
    assert.ok(healthy.syncs > 2 * written.size, `${healthy.syncs} pieces`);

    for (let call = 0; call < healthy.calls; call += 4) {
      const io = new FaultyIo();
      io.faultAt = (at) => (at === call ? { code: 'ENOSPC', taken: 1000 } : undefined);
      const store = await openStore(`failing-${call}`, io);
      await scan(store);
      await store.close();
      // Another window, which knows what is on the disk.
      const next = await openStore(`failing-${call}`, new FaultyIo());
      for (const [id, lines] of written) {
        const before = await kept(next, id);
        assert.deepEqual(before, lines.slice(0, before.length));
      }
      assert.deepEqual(await scan(next), []);
      for (const [id, lines] of written) assert.deepEqual(await kept(next, id), lines);
      await next.close();
    }
  });
});
