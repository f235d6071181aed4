import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stateScript } from '../../test/agents/cursorRows.js';
import { sourceOf } from './registry.js';
import { writeDatabase } from './sqlite/testDatabase.js';

const cwd = '/w/app';
const workspace = (product: string) => `.config/${product}/User/workspaceStorage/abc`;
const ofFolder = (product: string) => ({
  [`${workspace(product)}/workspace.json`]: JSON.stringify({ folder: `file://${cwd}` }),
});

/** What an agent's store may hold that nothing here reads, and how that is told. */
suite('what is there and not read is told, with its number', () => {
  let userHome: string;
  setup(async () => {
    userHome = await mkdtemp(join(tmpdir(), 'unread-'));
  });
  teardown(() => rm(userHome, { recursive: true }));

  const told = (
    title: string,
    agent: string,
    files: Readonly<Record<string, string>>,
    words: RegExp,
    databases: Readonly<Record<string, string>> = {},
  ) =>
    test(`${agent}: ${title}`, async () => {
      const place = async (path: string) => {
        const file = join(userHome, path);
        await mkdir(dirname(file), { recursive: true });
        return file;
      };
      for (const [path, text] of Object.entries(files)) await writeFile(await place(path), text);
      for (const [path, script] of Object.entries(databases)) {
        await writeDatabase(await place(path), script);
      }
      const source = sourceOf(agent) ?? assert.fail();
      const query = { homes: [], env: {}, userHome, platform: 'linux' } as const;
      for (const everywhere of [false, true]) {
        const found = await source.find({ ...query, folders: [cwd], everywhere });
        assert.deepEqual(found.threads, []);
        assert.equal(found.problems.length, 1, JSON.stringify(found.problems));
        assert.match(found.problems[0]?.message ?? '', words);
        assert.ok(found.problems[0]?.where.startsWith(userHome));
      }
      const none = await source.find({ ...query, folders: [], everywhere: false });
      assert.deepEqual(none.problems, [], 'a window without folders is told nothing');
    });

  told(
    'chats of the panel of old versions',
    'cursor',
    ofFolder('Cursor'),
    /^2 chats are of the chat panel/,
    {
      [`${workspace('Cursor')}/state.vscdb`]: stateScript('ItemTable', {
        'workbench.panel.aichat.view.aichat.chatdata': JSON.stringify({
          tabs: [
            { tabId: 'a', bubbles: [{ type: 'user', text: 'x' }] },
            { tabId: 'b', bubbles: [{ type: 'user', text: 'y' }] },
            { tabId: 'never used', bubbles: [] },
          ],
        }),
      }),
    },
  );
  told(
    'conversations that it encrypts, of each of its builds',
    'windsurf',
    { '.codeium/windsurf-next/cascade/a.pb': 'x' },
    /^1 conversation is encrypted/,
  );
  told(
    'saved chats',
    'gemini-cli',
    { '.gemini/tmp/app/.project_root': cwd, '.gemini/tmp/app/checkpoint-tag.json': '[]' },
    /^1 saved chat is not listed/,
  );
  told(
    'sessions of the first versions',
    'copilot-cli',
    { '.copilot/history-session-state/session_a_1.json': '{}' },
    /^1 session is not read/,
  );
  told(
    'threads of before its database',
    'zed',
    { '.local/share/zed/threads/threads-db.1.mdb/data.mdb': 'x' },
    /before SQLite .* not read/,
  );
  told(
    'transcripts of chats that VS Code has no more',
    'vscode-chat',
    {
      ...ofFolder('Code'),
      [`${workspace('Code')}/GitHub.copilot-chat/transcripts/a.jsonl`]: '{}',
    },
    /^1 chat is no more there/,
  );
});

test('Grok: a session that has no more than what was shown is found', async () => {
  const userHome = await mkdtemp(join(tmpdir(), 'unread-'));
  try {
    const folder = join(userHome, '.grok', 'sessions', encodeURIComponent(cwd), 'id');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'updates.jsonl'), '{}\n');
    const source = sourceOf('grok') ?? assert.fail();
    const { threads } = await source.find({ folders: [cwd], homes: [], env: {}, userHome });
    assert.deepEqual(
      threads.map(({ nativeId, path }) => [nativeId, path]),
      [['id', join(folder, 'updates.jsonl')]],
    );
  } finally {
    await rm(userHome, { recursive: true });
  }
});
