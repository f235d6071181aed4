import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { gemini, linesOf, metadata, sessionId, user } from '../../test/agents/geminiRecords.js';
import { encodeBatch, decodeBatch } from '../vault/batch.js';
import { wasmPath } from '../agents/sqlite/wasm.js';
import { PackFolder } from '../vault/packFolder.js';
import { openView } from '../vault/openView.js';
import { FrameType } from '../vault/types.js';
import { TestWindows } from './testWindows.js';

/** Gemini CLI files its conversations under their folder; their records do not say it. */
suite('a folder that only the agent knows', () => {
  let windows: TestWindows;
  let work: string;
  setup(() => {
    windows = new TestWindows();
    work = windows.folder('work');
    const lines = linesOf(metadata(), user('m1', 'go'), gemini('m2', 'done'));
    windows.put('gemini/tmp/app/.project_root', work);
    windows.put(
      `gemini/tmp/app/chats/session-2026-01-05T09-00-5d0957ef.jsonl`,
      `${lines.join('\n')}\n`,
    );
  });
  teardown(() => windows.dispose());

  const settings = () => ({ agentHomes: { 'gemini-cli': [windows.at('gemini')] } });
  const cwdIn = async (engine: Awaited<ReturnType<TestWindows['open']>>['engine']) =>
    (await engine.listThreads(null)).map(({ nativeId, cwd }) => [nativeId, cwd]);

  test('is known after the list was lost, also when the agent has deleted its file', async () => {
    const first = await windows.open(work, { view: 'a', settings: settings() });
    await first.engine.scanThreads();
    assert.deepEqual(await cwdIn(first.engine), [[sessionId, work]]);
    await first.engine.close();
    rmSync(windows.at('views/a/sessions.db'));
    rmSync(windows.at('gemini'), { recursive: true });
    const again = await windows.open(work, { view: 'a', settings: settings() });
    assert.deepEqual(await cwdIn(again.engine), [[sessionId, work]]);
  });

  test('is found again where a version before this one did not write it down', async () => {
    const first = await windows.open(work, { settings: settings() });
    await first.engine.scanThreads();
    await first.engine.close();
    await withoutFolder(windows, first.opened.projectKey);
    const again = await windows.open(work, { settings: settings() });
    assert.deepEqual(await cwdIn(again.engine), [[sessionId, undefined]]);
    await again.engine.scanThreads();
    assert.deepEqual(await cwdIn(again.engine), [[sessionId, work]]);
  });
});

/** Lets a vault be as versions wrote it that did not keep the folder. */
async function withoutFolder(windows: TestWindows, key: string): Promise<void> {
  const folder = windows.at('store/projects', key);
  const packs = new PackFolder(`${folder}/packs`);
  await packs.look(() => undefined);
  const frames = [];
  for (const pack of packs.names) {
    for await (const frame of packs.frames(pack, 0, ({ message }) => assert.fail(message))) {
      if (frame.type !== FrameType.records) continue;
      const { header, records } = decodeBatch(frame.payload);
      const { cwd, ...cursor } = header.cursor;
      assert.ok(cwd);
      frames.push({ type: frame.type, payload: encodeBatch({ ...header, cursor }, records) });
    }
  }
  rmSync(`${folder}/packs`, { recursive: true });
  const view = await openView(folder, wasmPath());
  await view.vault.append(frames);
  await view.close();
}
