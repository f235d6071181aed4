import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../test/until.js';
import { Desk, answer, capture, prompt, threadId } from './testDesk.js';

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
