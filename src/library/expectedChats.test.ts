import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { TestWindows } from './testWindows.js';

suite("a conversation that goes on in VS Code's chat", () => {
  let windows: TestWindows;
  setup(() => {
    windows = new TestWindows();
  });
  teardown(() => windows.dispose());

  const sessionId = '00000000-0000-4000-8000-000000000001';
  const request = { agent: 'vscode-chat' };
  const claude = `claude-code:${sessionId}`;

  const open = async () => {
    const folder = windows.folder('work');
    const writer = new ClaudeWriter({ cwd: folder, sessionId });
    writer.user('Mend the tests');
    writer.say('a', 'Done');
    writer.user('Thanks');
    const project = folder.replace(/[^A-Za-z0-9]/g, '-');
    windows.put(`claude/projects/${project}/${sessionId}.jsonl`, `${writer.lines.join('\n')}\n`);
    const agentHomes = {
      'claude-code': [windows.at('claude')],
      'vscode-chat': [windows.folder('chats')],
    };
    const { engine } = await windows.open(folder, { settings: { agentHomes } });
    await engine.scanThreads();
    return engine;
  };
  /** Keeps a chat as VS Code does with one that it took in: under an id that it makes. */
  const keep = (id: string, requests: readonly unknown[]): void => {
    const chat = {
      version: 3,
      sessionId: id,
      responderUsername: '',
      initialLocation: 'panel',
      requests,
    };
    windows.put(`chats/${id}.json`, JSON.stringify(chat));
  };
  const requestsOf = ({ chat = '' }): readonly object[] =>
    (JSON.parse(chat) as { readonly requests: readonly object[] }).requests;
  const expected = (): readonly string[] => {
    const folder = `${windows.store}/chats`;
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test('knows where it comes from once VS Code has written it down, whatever came before', async () => {
    const engine = await open();
    const given = await engine.continueThread(claude, request, true);
    const another = await engine.continueThread(claude, request, false);
    keep('other', requestsOf(another));
    await engine.scanThreads();
    keep('chat-1', requestsOf(given));
    await engine.scanThreads();
    const threads = await engine.listThreads(null);
    assert.deepEqual(
      new Map(threads.map(({ id, continues }) => [id, continues])),
      new Map([
        [claude, undefined],
        ['vscode-chat:other', undefined],
        ['vscode-chat:chat-1', { thread: claude, prompts: 2 }],
      ]),
    );
    assert.deepEqual(expected(), []);
  });

  test('that never was written down is not named any more when something is forgotten', async () => {
    const engine = await open();
    await engine.continueThread(claude, request, true);
    assert.equal(expected().length, 1);
    await engine.forget({ text: 'Mend the tests' });
    assert.deepEqual(expected(), []);
  });

  test('that is only looked at leaves nothing behind', async () => {
    const engine = await open();
    await engine.continueThread(claude, request, false);
    assert.deepEqual(expected(), []);
  });

  test('and that itself was a chat is told from the one that goes on', async () => {
    const engine = await open();
    keep('old', requestsOf(await engine.continueThread(claude, request, false)));
    await engine.scanThreads();
    const given = await engine.continueThread(
      'vscode-chat:old',
      { ...request, folder: windows.at('work') },
      true,
    );
    keep('old', [
      ...requestsOf(given),
      { requestId: 'more', message: { text: 'More', parts: [] } },
    ]);
    await engine.scanThreads();
    keep('new', requestsOf(given));
    await engine.scanThreads();
    const threads = await engine.listThreads(null);
    assert.equal(threads.find(({ id }) => id === 'vscode-chat:old')?.continues, undefined);
    assert.equal(
      threads.find(({ id }) => id === 'vscode-chat:new')?.continues?.thread,
      'vscode-chat:old',
    );
  });
});
