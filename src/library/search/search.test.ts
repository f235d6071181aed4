import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../../test/until.js';
import { wasmPath } from '../../agents/sqlite/wasm.js';
import type { SearchOptions, SearchResult } from '../../core/search/types.js';
import { encodeTrailer, imageVersion } from '../../vault/search/imageFile.js';
import { forget } from '../../vault/forget.js';
import { diskIo } from '../../vault/io.js';
import { projectFile, readProjects } from '../../vault/projectFile.js';
import { sealPacks } from '../../vault/seal.js';
import { SessionIndex } from '../../vault/sessionIndex.js';
import { holds } from '../../vault/testProject.js';
import { openVault } from '../../vault/vault.js';
import { Store } from '../store.js';
import { TestWindows } from '../testWindows.js';
import { Searcher } from './searcher.js';

/** A conversation as Claude Code keeps it, in a home of its own. */
class Claude {
  readonly id = randomUUID();
  private last: string | null = null;
  private lines: string[] = [];
  private time = Date.now() - 3_600_000;

  constructor(
    private readonly windows: TestWindows,
    private readonly cwd: string,
  ) {
    process.env['CLAUDE_CONFIG_DIR'] = windows.at('claude');
  }

  get threadId(): string {
    return `claude-code:${this.id}`;
  }

  ask(prompt: string): this {
    return this.record('user', { role: 'user', content: prompt });
  }

  answer(...content: readonly object[]): this {
    const message = { role: 'assistant', id: randomUUID(), model: 'm', content };
    return this.record('assistant', { ...message, stop_reason: 'end_turn' });
  }

  say(text: string): this {
    return this.answer({ type: 'text', text });
  }

  call(id: string, name: string, input: object): this {
    return this.answer({ type: 'tool_use', id, name, input });
  }

  result(id: string, content: string): this {
    const result = { type: 'tool_result', tool_use_id: id, content };
    return this.record('user', { role: 'user', content: [result] });
  }

  /** Puts another text in place of one, as an agent does that rewrites its file. */
  rewrite(from: string, to: string): this {
    this.lines = this.lines.map((line) => line.replaceAll(from, to));
    return this.write();
  }

  private record(type: string, message: object): this {
    const uuid = randomUUID();
    const at = new Date((this.time += 1000)).toISOString();
    const { cwd, id: sessionId } = this;
    const record = { type, uuid, parentUuid: this.last, sessionId, cwd, version: '2.0.0' };
    this.lines.push(JSON.stringify({ ...record, timestamp: at, gitBranch: 'topic', message }));
    this.last = uuid;
    return this.write();
  }

  private write(): this {
    const folder = this.cwd.replace(/[^A-Za-z0-9]/g, '-');
    this.windows.put(`claude/projects/${folder}/${this.id}.jsonl`, `${this.lines.join('\n')}\n`);
    return this;
  }
}

suite('searching a project', function () {
  this.timeout(900_000);
  const config = process.env['CLAUDE_CONFIG_DIR'];
  let windows: TestWindows;
  let folder: string;
  setup(() => {
    windows = new TestWindows();
    folder = windows.folder('work');
  });
  teardown(async () => {
    await windows.dispose();
    if (config === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = config;
  });

  /** Takes in what agents wrote, as a window does. */
  async function scan(): Promise<void> {
    const { engine } = await windows.open(folder);
    await engine.scanThreads();
    await engine.close();
  }

  const project = async (): Promise<string> => {
    const [known] = await readProjects(windows.store);
    assert.ok(known);
    return dirname(projectFile(windows.store, known.key));
  };
  const images = async (): Promise<readonly string[]> => {
    const path = join(await project(), 'search');
    return readdirSync(path)
      .filter((name) => name.endsWith('.search'))
      .map((name) => join(path, name));
  };

  /** Another process over the same vault; closed after the test's work. */
  async function withSearcher<T>(
    work: (searcher: Searcher, store: Store) => Promise<T>,
  ): Promise<T> {
    const { index } = await SessionIndex.open({ file: undefined, wasm: wasmPath() });
    const store = new Store([await openVault({ folder: await project() })], index);
    await store.refresh(() => undefined);
    const searcher = new Searcher({ store, wasm: wasmPath(), mayWrite: true, folders: [folder] });
    try {
      return await work(searcher, store);
    } finally {
      await searcher.close();
      await store.close();
    }
  }

  const build = (): Promise<void> =>
    withSearcher(async (searcher) => {
      await searcher.build();
    });

  const search = (query: string, options?: SearchOptions): Promise<SearchResult> =>
    withSearcher((searcher) => searcher.search(query, options));
  const show = ({ hits }: SearchResult): readonly string[] =>
    hits.map(({ kind, snippet }) => `${kind}: ${snippet.text}`);
  const find = async (query: string, options?: SearchOptions): Promise<readonly string[]> =>
    show(await search(query, options));

  const talk = (): Claude =>
    new Claude(windows, folder)
      .ask('Fix getUserById in the 搜索功能')
      .call('t1', 'Edit', {
        file_path: 'src/user_service.ts',
        old_string: 'walrus',
        new_string: 'tusk',
      })
      .result('t1', 'The walrus was replaced')
      .say('Done: the café is open');

  for (const [how, isBuilt] of [
    ['in the tail', false],
    ['in an image', true],
  ] as const) {
    const finds = (query: string, ...expected: readonly string[]): void => {
      test(`${query} finds what it should ${how}`, async () => {
        talk();
        await scan();
        if (isBuilt) await build();
        const found = await search(query);
        assert.deepEqual(show(found), expected);
        assert.equal(found.complete, true);
        assert.deepEqual(found.problems, []);
      });
    };
    finds('user role:user', 'prompt: Fix getUserById in the 搜索功能');
    finds('索功 role:user', 'prompt: Fix getUserById in the 搜索功能');
    finds('cafe', 'answer: Done: the café is open');
    finds('"the walrus"', 'toolResult: The walrus was replaced');
    finds('"walrus the"');
    finds(
      'replaced tool:edit role:tool file:src/user_service.ts agent:claude branch:topic after:1d',
      'toolResult: The walrus was replaced',
    );
    finds(
      'walrus tool:edit file:src',
      'toolResult: The walrus was replaced',
      'toolInput: …src/user_service.ts old_string: walrus new_string: tusk',
    );
    finds('walrus file:user.ts');
    finds('walrus agent:codex');
    finds('walrus branch:main');
    finds('walrus before:1d');
    finds(
      'user_service',
      'toolInput: Edit file_path: src/user_service.ts old_string: walrus new_string: tusk',
    );
  }

  test('a conversation that goes on is found whole and nothing twice, whatever images hold', async () => {
    const claude = talk();
    await scan();
    await build();
    claude.ask('Another walrus please').call('t2', 'Bash', { command: 'ls' });
    await scan();
    assert.equal((await find('walrus')).length, 3);
    await build();
    assert.equal((await images()).length, 2);
    assert.equal((await find('walrus')).length, 3);
    // An answer to a call of before lies before what came later.
    claude.ask('still there?').result('t2', 'a walrus');
    await scan();
    assert.equal((await find('walrus')).length, 4);
    await build();
    assert.equal((await find('walrus')).length, 4);
  });

  test('of a rewritten file only what is there now is found', async () => {
    const claude = talk();
    await scan();
    await build();
    claude.rewrite('walrus', 'narwhal').ask('More');
    await scan();
    for (const state of ['in the tail', 'in an image']) {
      assert.equal((await find('narwhal')).length, 2, state);
      assert.equal((await find('walrus')).length, 0, state);
      await build();
    }
  });

  test('a conversation in several packs, some of them sealed, is found', async () => {
    const claude = talk();
    await scan();
    claude.ask('in the second pack: walrus');
    await scan();
    const packs = join(await project(), 'packs');
    await sealPacks(packs, { io: diskIo, now: Date.now() + 1e9 });
    claude.ask('in the third pack: walrus');
    await scan();
    assert.equal((await find('walrus')).length, 4);
    await build();
    assert.equal((await find('walrus')).length, 4);
  });

  test('a damaged image is made again, and so is one of an older version', async () => {
    talk();
    await scan();
    await build();
    const [path = ''] = await images();
    const whole = readFileSync(path);
    for (const bytes of [
      whole.subarray(0, whole.length - 1),
      whole.subarray(0, 10),
      Buffer.alloc(0),
      whole.map((byte, at) => (at === 5000 ? byte ^ 1 : byte)),
    ]) {
      writeFileSync(path, bytes);
      assert.equal((await find('walrus')).length, 2);
      await build();
      assert.deepEqual(readFileSync(path), whole);
    }
  });

  test('an image of a newer version is left alone and not used', async () => {
    talk();
    await scan();
    await build();
    const [path = ''] = await images();
    const newer = Buffer.concat([
      readFileSync(path).subarray(0, -24),
      encodeTrailer(new Uint8Array(), imageVersion + 1),
    ]);
    const other = join(dirname(path), `${'0'.repeat(32)}.search`);
    writeFileSync(other, newer);
    writeFileSync(path, newer);
    assert.equal((await find('walrus')).length, 2);
    await build();
    assert.equal((await find('walrus')).length, 2);
    assert.deepEqual(readFileSync(other), newer);
  });

  test('terms or texts of an image that are damaged are said, and all is found without it', async () => {
    talk();
    await scan();
    await build();
    const [path = ''] = await images();
    const whole = readFileSync(path);
    // Of an image: the database, the texts, the terms, the trailer.
    const database = Number(whole.readBigUInt64LE(whole.length - 24));
    for (const at of [database + 40, whole.length - 60]) {
      const bytes = Buffer.from(whole);
      bytes.fill(0, at, at + 20);
      writeFileSync(path, bytes);
      const { problems, hits } = await search('walrus');
      assert.equal(problems.length > 0, true);
      assert.equal(hits.length, 2);
      await build();
      assert.deepEqual(readFileSync(path), whole);
    }
  });

  test('forgotten text is found by nobody, in an open window neither', async () => {
    talk();
    await scan();
    await build();
    await withSearcher(async (searcher, store) => {
      assert.equal((await searcher.search('walrus')).hits.length, 2);
      await forget({ text: 'walrus' }, { folder: await project(), wasm: wasmPath(), io: diskIo });
      assert.equal(await holds(join(await project(), 'search'), 'walrus'), false);
      await store.refresh(() => undefined);
      assert.equal((await searcher.search('walrus')).hits.length, 0);
      assert.equal((await searcher.search('replaced')).hits.length, 1);
      await searcher.build();
      assert.equal((await searcher.search('replaced')).hits.length, 1);
    });
    assert.equal(await holds(await project(), 'walrus'), false);
  });

  test('two processes that build at once do no harm', async () => {
    for (let at = 0; at < 3; at++) talk();
    await scan();
    const both = await Promise.allSettled([build(), build()]);
    assert.ok(both.some(({ status }) => status === 'fulfilled'));
    assert.equal((await find('walrus')).length, 6);
  });

  test('many small images become one, and say the same', async () => {
    for (let at = 0; at < 9; at++) {
      talk();
      await scan();
      await build();
    }
    assert.ok((await images()).length < 9);
    assert.equal((await find('walrus')).length, 18);
    assert.equal((await find('walrus', { limit: 5 })).length, 5);
    assert.equal((await search('walrus', { limit: 5 })).more, true);
  });

  test('sessions are found by title, goal, tag, label and file, with a folder filter', async () => {
    const { engine } = await windows.open(folder);
    const set = { title: 'Payment walrus', goal: 'charge once', tags: ['billing'] };
    const { id } = await engine.createSession(set);
    const tab = { kind: 'text', place: { uri: 'file:///x/cart.ts' }, label: 'cart.ts' } as const;
    await engine.save(
      {
        editors: { groups: [{ tabs: [tab] }], activeGroup: 0, views: [] },
        drafts: [],
        environment: { keepthread: '1', os: '', arch: '', node: '', folders: [], agents: {} },
      },
      { sessionId: id, reason: 'manual', label: 'before the release' },
    );
    for (const query of ['walrus', '"charge once"', 'billing', 'release', 'cart.ts']) {
      const { hits } = await engine.search(query);
      assert.deepEqual(
        hits.map(({ kind, sessionIds }) => [kind, ...sessionIds]),
        [['session', id]],
        query,
      );
    }
    assert.equal((await engine.search('walrus in:folder')).hits.length, 1);
    const elsewhere = { in: 'folder', folders: [windows.folder('other')] } as const;
    assert.equal((await engine.search('walrus', elsewhere)).hits.length, 0);
    assert.equal((await engine.search(`walrus session:${id.slice(0, 6)}`)).hits.length, 1);
    // After a rebuild too, when the files of a session have to be read again.
    assert.deepEqual(await find('cart'), [
      'session: …charge once billing before the release cart.ts',
    ]);
  });

  test('a window builds by itself, behind what it is asked', async () => {
    talk();
    const options = { builds: { afterMs: 0, fromBytes: 0 } };
    const { engine } = await windows.open(folder, { options, settings: { pollMs: 60_000 } });
    await engine.scanThreads();
    const built = async (): Promise<boolean> => (await images().catch(() => [])).length > 0;
    await until('an image is built', built);
    assert.equal((await engine.search('walrus')).hits.length, 2);
  });

  test('somebody who types gets the answer to the last key only', async () => {
    talk();
    await scan();
    await withSearcher(async (searcher) => {
      const all = await Promise.all(
        ['w', 'wa', 'wal'].map((query) => searcher.search(query, { asYouType: true })),
      );
      assert.deepEqual(
        all.map(({ superseded }) => superseded),
        [true, true, false],
      );
      assert.equal(all[2]?.hits.length, 2);
    });
  });
});
