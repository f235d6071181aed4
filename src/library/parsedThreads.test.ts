import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ClaudeWriter, sessionId } from '../../test/agents/claudeRecords.js';
import { png } from '../../test/agents/imageSamples.js';
import { inspectFile } from '../agents/inspect.js';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { Engine, OpenRequest } from '../core/engine.js';
import type { PlacedRecord } from '../vault/recordPlaces.js';
import { openProject } from './openProject.js';
import { ParsedThreads } from './parsedThreads.js';
import { Store } from './store.js';
import { TestWindows } from './testWindows.js';

const threadId = `claude-code:${sessionId}`;

type ReadArgs = Parameters<Store['placedRecords']>;

/** How many records were read from the vault meanwhile. */
async function recordsRead(body: () => Promise<unknown>): Promise<number> {
  const prototype: {
    placedRecords: (this: Store, ...args: ReadArgs) => AsyncGenerator<PlacedRecord>;
  } = Store.prototype;
  const { placedRecords } = prototype;
  let count = 0;
  prototype.placedRecords = async function* counted(...args) {
    for await (const record of placedRecords.apply(this, args)) {
      count += 1;
      yield record;
    }
  };
  try {
    await body();
  } finally {
    prototype.placedRecords = placedRecords;
  }
  return count;
}

suite('a conversation that is asked about again', () => {
  let windows: TestWindows;
  let engine: Engine;
  let lines: number;
  let transcript: string;
  setup(async () => {
    windows = new TestWindows();
    const folder = windows.folder('work');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
    const writer = new ClaudeWriter({ cwd: folder });
    writer.user([{ type: 'text', text: 'See' }, image]);
    const edit = { file_path: `${folder}/a.txt`, old_string: 'one', new_string: 'two' };
    writer.call('m1', 'c1', 'Edit', edit);
    writer.result('c1');
    writer.say('m2', 'Done');
    lines = writer.lines.length;
    const project = windows.folder(`claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}`);
    transcript = `${project}/${sessionId}.jsonl`;
    writeFileSync(transcript, `${writer.lines.join('\n')}\n`);
    engine = await window();
    await engine.scanThreads();
  });
  teardown(() => windows.dispose());

  const window = async (): Promise<Engine> => {
    const agentHomes = { 'claude-code': [windows.at('claude')] };
    return (await windows.open(windows.at('work'), { settings: { agentHomes } })).engine;
  };
  const place = async (kind: 'image' | 'toolCall') => {
    const { turns } = await engine.readThread(threadId);
    const turn = turns.findIndex(({ parts }) => parts.some((part) => part.kind === kind));
    const part = turns[turn]?.parts.findIndex((one) => one.kind === kind) ?? -1;
    return { threadId, place: { turnId: turns[turn]?.id ?? '', turn, part } };
  };

  test('its pages, the changes of its calls and its images read its records once', async () => {
    const call = await place('toolCall');
    assert.equal(await recordsRead(() => engine.threadDocument(threadId)), 0);
    assert.equal(await recordsRead(() => engine.threadDocument(threadId, { page: 1 })), 0);
    let changes: readonly unknown[] = [];
    const read = await recordsRead(async () => (changes = await engine.threadChanges(call)));
    assert.deepEqual([read, changes.length], [0, 1]);
    const image = await place('image');
    // Images are left out until one is asked for.
    assert.equal(await recordsRead(() => engine.threadImage(image)), lines);
    let shown: Uint8Array | undefined;
    const again = await recordsRead(async () => (shown = (await engine.threadImage(image)).bytes));
    assert.deepEqual([again, Buffer.from(shown ?? []).toString('base64')], [0, png]);
  });

  test('what the agent has said since is there', async () => {
    await engine.threadDocument(threadId);
    const more = new ClaudeWriter({
      cwd: windows.at('work'),
      parentUuid: `u${lines - 1}`,
      uuid: 'v',
    });
    more.say('m3', 'And more');
    appendFileSync(transcript, `${more.lines.join('\n')}\n`);
    await engine.scanThreads();
    const { text } = await engine.threadDocument(threadId);
    assert.ok(text.includes('And more'));
  });

  test('what could not be read is said of the kept copy where it is in the file', async () => {
    const secret = `ghp_${'Ab1'.repeat(12)}`;
    const more = new ClaudeWriter({
      cwd: windows.at('work'),
      parentUuid: `u${lines - 1}`,
      uuid: 'v',
    });
    more.say('m3', `With ${secret}`);
    appendFileSync(transcript, `\n\r\n{"broken\r\n${more.lines.join('\n')}\n\n[1,\n`);
    await engine.scanThreads();
    const inFile = (await inspectFile(transcript)).skipped;
    assert.equal(inFile.length, 2);
    assert.deepEqual((await engine.readThread(threadId)).skipped, inFile);
    engine = await window();
    const kept = await engine.readThread(threadId);
    assert.deepEqual(kept.skipped, inFile);
    assert.ok(!JSON.stringify(kept.turns).includes(secret));
  });

  test('no more is kept than the limit: what was asked for last', async () => {
    const [row = assert.fail()] = await engine.listThreads(null);
    await engine.close();
    const request: OpenRequest = {
      store: windows.store,
      folders: [{ name: 'work', uri: pathToFileURL(windows.at('work')).href }],
      trusted: true,
      chatStores: [],
      settings: { maxFileBytes: 1, maxFiles: 1, redact: true, agentHomes: {}, pollMs: 0 },
    };
    const { store } = await openProject(request, wasmPath());
    store.index.putThreadSummary(row);
    let bytes = 0;
    for await (const record of store.records(threadId, 0, lines)) bytes += record.length;
    const parsed = new ParsedThreads(2 * bytes);
    const read = (leaf?: string) => recordsRead(() => parsed.read(store, threadId, { leaf }));
    assert.deepEqual(
      [await read(), await read('a'), await read(), await read('b')],
      [lines, lines, 0, lines],
    );
    // The one that was asked for longest ago had to go.
    assert.deepEqual([await read(), await read('b'), await read('a')], [0, 0, lines]);
    const small = new ParsedThreads(bytes - 1);
    const once = () => recordsRead(() => small.read(store, threadId));
    assert.deepEqual([await once(), await once()], [lines, lines]);
    await store.close();
  });
});
