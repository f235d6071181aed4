import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseScript, OpenCodeWriter } from '../../test/agents/openCodeRows.js';
import { treeHash } from '../../test/agents/treeHash.js';
import { writeDatabase } from '../agents/sqlite/testDatabase.js';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { Engine } from '../core/engine.js';
import { createEngine } from './engine.js';

/** One database holds the conversations of all folders; the vault keeps each by itself. */
suite('threads of a database in the vault', () => {
  let root: string;
  let home: string;
  let engines: Engine[];
  setup(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'threads-')));
    home = join(root, 'opencode');
    engines = [];
    await mkdir(home);
    await mkdir(join(root, 'work'));
  });
  teardown(async () => {
    for (const engine of engines) await engine.close();
    await rm(root, { recursive: true });
  });

  const nothing = () => undefined;
  const open = async (folder = join(root, 'work')): Promise<Engine> => {
    const engine = createEngine({
      wasm: wasmPath(),
      events: { changed: nothing, turnEnded: nothing, activity: nothing, problem: nothing },
    });
    engines.push(engine);
    const uri = pathToFileURL(folder).href;
    await engine.open({
      store: join(root, 'store'),
      folders: [{ name: 'work', uri }],
      workspace: uri,
      trusted: true,
      chatStores: [],
      settings: {
        maxFileBytes: 1e6,
        maxFiles: 100,
        redact: true,
        agentHomes: { opencode: [home] },
        pollMs: 0,
      },
    });
    return engine;
  };
  const talk = (id: string, prompt: string, folder = join(root, 'work')) =>
    new OpenCodeWriter(id, folder).user(prompt).say(`Answer to ${prompt}`);
  const write = (...writers: readonly OpenCodeWriter[]) =>
    writeDatabase(join(home, 'opencode.db'), databaseScript(...writers));
  const threads = async (engine: Engine) =>
    (await engine.listThreads(null))
      .map(({ nativeId, turns, state, generation }) => ({ nativeId, turns, state, generation }))
      .sort((one, other) => (one.nativeId < other.nativeId ? -1 : 1));
  const row = (nativeId: string, turns: number, state = 'live') => ({
    nativeId,
    turns,
    state,
    generation: 0,
  });

  test('each conversation is kept, a second look costs nothing, and the store is not touched', async () => {
    await write(talk('ses_a', 'One'), talk('ses_b', 'Two'), talk('ses_x', 'x', '/elsewhere'));
    const before = await treeHash(home);
    const engine = await open();
    const first = await engine.scanThreads();
    assert.deepEqual([first.threads, first.problems], [2, []]);
    assert.deepEqual(await threads(engine), [row('ses_a', 1), row('ses_b', 1)]);
    const second = await engine.scanThreads();
    assert.deepEqual([second.recordsAdded, second.bytesRead, second.problems], [0, 0, []]);
    assert.equal(await treeHash(home), before);
  });

  test('one that grows gains its new rows, the others none', async () => {
    await write(talk('ses_a', 'One'), talk('ses_b', 'Two'));
    const engine = await open();
    await engine.scanThreads();
    await write(talk('ses_a', 'One').user('More').say('Done'), talk('ses_b', 'Two'));
    assert.equal((await engine.scanThreads()).recordsAdded, 4);
    assert.deepEqual(await threads(engine), [row('ses_a', 2), row('ses_b', 1)]);
    const { turns } = await engine.readThread('opencode:ses_a');
    assert.deepEqual(
      turns.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
  });

  test('one that the agent deleted is kept, marked, and still reads', async () => {
    await write(talk('ses_a', 'One'), talk('ses_b', 'Two'));
    const engine = await open();
    await engine.scanThreads();
    await write(talk('ses_b', 'Two'));
    await engine.scanThreads();
    assert.deepEqual(await threads(engine), [row('ses_a', 1, 'gone'), row('ses_b', 1)]);
    assert.equal((await engine.readThread('opencode:ses_a')).turns.length, 2);
    await write(talk('ses_a', 'One'), talk('ses_b', 'Two'));
    await engine.scanThreads();
    assert.deepEqual(await threads(engine), [row('ses_a', 1), row('ses_b', 1)]);
  });

  test('a later start asks the database for nothing that has not changed', async () => {
    await write(talk('ses_a', 'One'), talk('ses_b', 'Two'));
    const first = await open();
    await first.scanThreads();
    await first.close();
    engines = [];
    await write(talk('ses_a', 'One').user('More'), talk('ses_b', 'Two'));
    const later = await (await open()).scanThreads();
    const alone = await (async () => {
      await write(talk('ses_a', 'One').user('More'));
      await rm(join(root, 'store'), { recursive: true });
      return (await open()).scanThreads();
    })();
    assert.deepEqual([later.threads, later.recordsAdded], [2, 2]);
    assert.equal(later.bytesRead, alone.bytesRead);
  });

  test('a later start goes on where the one before stopped', async () => {
    await write(talk('ses_a', 'One'));
    const first = await open();
    await first.scanThreads();
    await first.close();
    engines = [];
    await write(talk('ses_a', 'One').user('More'));
    const second = await open();
    assert.equal((await second.scanThreads()).recordsAdded, 2);
    assert.deepEqual(await threads(second), [row('ses_a', 2)]);
  });
});
