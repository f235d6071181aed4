import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Capture, Engine, EngineEvents, OpenRequest, Problem } from '../core/engine.js';
import { isExpected } from '../core/errors.js';
import { until } from '../../test/until.js';
import { createEngine } from './engine.js';

const wasm = path.resolve('node_modules/sql.js/dist/sql-wasm.wasm');

/** A folder with a repository, a home with a Claude Code store, and windows on it. */
class Desk {
  readonly root = mkdtempSync(path.join(tmpdir(), 'keepthread-engine-'));
  readonly folder = path.join(this.root, 'work');
  readonly store = path.join(this.root, 'store');
  readonly said: Problem[] = [];
  readonly ended: string[] = [];
  private readonly engines: Engine[] = [];

  constructor() {
    mkdirSync(this.folder, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    writeFileSync(path.join(this.folder, 'a.txt'), 'one\n');
    this.git('add', '.');
    this.git('-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'first');
    process.env['CLAUDE_CONFIG_DIR'] = path.join(this.root, 'claude');
  }

  git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.folder });
  }

  async open(change: Partial<OpenRequest> = {}): Promise<Engine> {
    const events: EngineEvents = {
      changed: () => undefined,
      activity: () => undefined,
      turnEnded: (id) => void this.ended.push(id),
      problem: (problem) => void this.said.push(problem),
    };
    const engine = createEngine({ wasm, events });
    this.engines.push(engine);
    const uri = pathToFileURL(this.folder).href;
    await engine.open({
      store: this.store,
      view: path.join(this.root, 'view'),
      folders: [{ name: 'work', uri }],
      workspace: uri,
      trusted: true,
      chatStores: [],
      settings: { maxFileBytes: 1e6, maxFiles: 100, redact: true, agentHomes: {}, pollMs: 0 },
      ...change,
    });
    return engine;
  }

  get transcript(): string {
    const encoded = this.folder.replace(/[^A-Za-z0-9]/g, '-');
    return path.join(this.root, 'claude/projects', encoded, `${claudeId}.jsonl`);
  }

  /** Appends records as Claude Code does. */
  say(...records: readonly object[]): void {
    mkdirSync(path.dirname(this.transcript), { recursive: true });
    const lines = records.map((record) => `${JSON.stringify({ cwd: this.folder, ...record })}\n`);
    appendFileSync(this.transcript, lines.join(''));
  }

  async dispose(): Promise<void> {
    await Promise.allSettled(this.engines.map((engine) => engine.close()));
    delete process.env['CLAUDE_CONFIG_DIR'];
    rmSync(this.root, { recursive: true, force: true });
  }
}

const claudeId = '11111111-2222-4333-8444-555555555555';
const threadId = `claude-code:${claudeId}`;
let records = 0;
const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
const tree = () => ({
  parentUuid: uuid(records),
  uuid: uuid(++records),
  sessionId: claudeId,
  timestamp: new Date().toISOString(),
  version: '2.1.197',
});
const prompt = (text: string) => ({
  type: 'user',
  ...tree(),
  message: { role: 'user', content: text },
});
const answer = (text: string) => ({
  type: 'assistant',
  ...tree(),
  message: {
    id: `msg_${records}`,
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  },
});

const capture = (label: string, drafts: Capture['drafts'] = []): Capture => ({
  editors: {
    groups: [{ tabs: [{ kind: 'text', label, place: { uri: `file:///work/${label}` } }] }],
    activeGroup: 0,
    views: [],
  },
  drafts,
  environment: { keepthread: '0', os: 'x', arch: 'x', node: '20', folders: [], agents: {} },
});

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

suite("an agent's conversation in the vault", () => {
  let desk: Desk;
  setup(() => (desk = new Desk()));
  teardown(() => desk.dispose());

  test('what is appended is read from there, and the turn that ended is told', async () => {
    const engine = await desk.open();
    desk.say(prompt('Write a parser'), answer('Done'));
    const first = await engine.scanThreads();
    desk.say(prompt('And tests'), answer('Tested'));
    const second = await engine.scanThreads();
    assert.deepEqual([first.recordsAdded, second.recordsAdded], [2, 2]);
    assert.ok(second.bytesRead < readFileSync(desk.transcript).length);
    assert.deepEqual(desk.ended, [threadId]);
    const [thread] = await engine.listThreads(null);
    assert.deepEqual([thread?.turns, thread?.messages, thread?.lastPrompt], [2, 2, 'And tests']);
    const { text } = await engine.threadDocument(threadId);
    for (const part of ['Write a parser', 'Done', 'And tests', 'Tested']) {
      assert.ok(text.includes(part), part);
    }
  });

  test('it joins the session at the next save, and is counted once after a restart', async () => {
    let engine = await desk.open();
    desk.say(prompt('Write a parser'), answer('Done'));
    await engine.scanThreads();
    const { id: sessionId } = await engine.createSession({ status: 'active' });
    await engine.save(capture('a.txt'), { sessionId, reason: 'agentTurn' });
    await engine.close();
    engine = await desk.open();
    await engine.scanThreads();
    const threads = await engine.listThreads(sessionId);
    assert.deepEqual(
      threads.map(({ id, turns }) => [id, turns]),
      [[threadId, 1]],
    );
    assert.deepEqual(await engine.listThreads(null), []);
    assert.deepEqual(
      (await engine.listSessions()).map(({ title }) => title),
      ['Write a parser'],
    );
  });

  test('its file is deleted: the conversation stays, marked', async () => {
    const engine = await desk.open();
    desk.say(prompt('Write a parser'), answer('Done'));
    await engine.scanThreads();
    rmSync(desk.transcript);
    await engine.scanThreads();
    const [thread] = await engine.listThreads(null);
    assert.deepEqual([thread?.state, thread?.turns], ['gone', 1]);
    const { text } = await engine.threadDocument(threadId);
    assert.match(text, /^- Kept here only: Claude Code has it no more$/m);
    assert.match(text, /Write a parser/);
  });

  test('while a window is open, a turn reaches the vault without being asked for', async () => {
    const settings = { maxFileBytes: 1e6, maxFiles: 100, redact: true, agentHomes: {} };
    const engine = await desk.open({ settings: { ...settings, pollMs: 500 } });
    // The agent's folder comes only now: until the poll has found it, nothing watches it.
    for (const [count, text] of ['Write a parser', 'And tests'].entries()) {
      desk.say(prompt(text), answer('Done'));
      await until(`“${text}” is kept`, async () => {
        const [thread] = await engine.listThreads(null);
        return thread?.turns === count + 1 && thread.lastPrompt === text;
      });
    }
  });

  test("the agent's own list leaves it out: it is said, and it is read all the same", async () => {
    process.env['CONTINUE_GLOBAL_DIR'] = path.join(desk.root, 'continue');
    try {
      const sessions = path.join(desk.root, 'continue/sessions');
      mkdirSync(sessions, { recursive: true });
      const session = {
        sessionId: 'one',
        workspaceDirectory: desk.folder,
        history: [{ message: { role: 'user', content: 'Hi' } }],
      };
      writeFileSync(path.join(sessions, 'one.json'), JSON.stringify(session));
      writeFileSync(path.join(sessions, 'sessions.json'), '[]');
      const engine = await desk.open();
      await engine.scanThreads();
      const states = async () => (await engine.listThreads(null)).map(({ state }) => state);
      assert.deepEqual(await states(), ['unlisted']);
      writeFileSync(path.join(sessions, 'sessions.json'), '[{"sessionId":"one"}]');
      await engine.scanThreads();
      assert.deepEqual(await states(), ['live']);
    } finally {
      delete process.env['CONTINUE_GLOBAL_DIR'];
    }
  });

  for (const [what, spoil] of [
    ['cut to nothing', (desk_: Desk) => truncateSync(desk_.transcript, 0)],
    [
      'replaced by less',
      (desk_: Desk) =>
        writeFileSync(
          desk_.transcript,
          `${JSON.stringify({ cwd: desk_.folder, ...prompt('x') })}\n`,
        ),
    ],
  ] as const) {
    test(`its file is ${what}: the fuller copy stays`, async () => {
      const engine = await desk.open();
      desk.say(prompt('Write a parser'), answer('Done'), prompt('And tests'), answer('Tested'));
      await engine.scanThreads();
      spoil(desk);
      await engine.scanThreads();
      const [thread] = await engine.listThreads(null);
      assert.deepEqual([thread?.turns, thread?.messages], [2, 2]);
      assert.match((await engine.threadDocument(threadId)).text, /And tests/);
      // A view that is made anew from the vault must not take the newest copy for the fullest.
      await engine.close();
      const other = await desk.open({ view: path.join(desk.root, 'another view') });
      const [again] = await other.listThreads(null);
      assert.deepEqual([again?.turns, again?.messages], [2, 2]);
      assert.match((await other.threadDocument(threadId)).text, /And tests/);
    });
  }

  test('a secret of a known kind does not reach the vault', async () => {
    const engine = await desk.open();
    const secret = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
    desk.say(prompt(`My token is ${secret}`), answer('Noted'));
    await engine.scanThreads();
    const { id: sessionId } = await engine.createSession({ status: 'active' });
    await engine.save(capture('a.txt'), { sessionId, reason: 'manual' });
    await engine.close();
    const files = readdirSync(desk.store, { recursive: true, withFileTypes: true });
    const view = readdirSync(path.join(desk.root, 'view'), { withFileTypes: true });
    const written = [...files, ...view].filter((entry) => entry.isFile());
    assert.ok(written.length > 0);
    for (const { parentPath, name } of written) {
      assert.ok(!readFileSync(path.join(parentPath, name)).includes(secret), name);
    }
    const again = await desk.open();
    assert.match(
      (await again.threadDocument(threadId)).text,
      /My token is \[REDACTED:github-token\]/,
    );
  });

  test("the agent's folder is as it was after everything", async () => {
    const engine = await desk.open();
    desk.say(prompt('Write a parser'), answer('Done'));
    const before = readFileSync(desk.transcript);
    await engine.scanThreads();
    await engine.threadDocument(threadId);
    assert.deepEqual(readFileSync(desk.transcript), before);
    const names = readdirSync(path.join(desk.root, 'claude'), { recursive: true });
    assert.equal(names.filter((name) => String(name).endsWith('.jsonl')).length, 1);
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
