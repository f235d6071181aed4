import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request, state } from '../../test/agents/chatRecords.js';
import { insert, sourceOn } from '../../test/agents/sourceOn.js';
import { createCline } from './cline/source.js';
import { createCodex } from './codex/source.js';
import { createContinue } from './continue/source.js';
import { openCode } from './opencode/source.js';
import type { Source } from './source.js';
import { vscodeChat } from './vscode-chat/source.js';

const folder = '/home/user/project';
const rollout = (name: string) =>
  `rollout-2026-01-05T09-00-00-0199a213-81c0-7800-8aa1-${name.padEnd(12, '0')}.jsonl`;

/** Threads that an agent's own list leaves out are found and said to be left out, by each that has a list. */
suite('conversations that the agent does not list any more', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'unlisted-'));
  });
  teardown(() => rm(home, { recursive: true }));

  const marks = (
    title: string,
    source: () => Source,
    put: (on: ReturnType<typeof sourceOn>) => Promise<unknown>,
    expected: readonly string[],
  ) =>
    test(title, async () => {
      const on = sourceOn(source(), home);
      await put(on);
      const { threads, problems } = await on.find();
      assert.deepEqual(problems, []);
      const found = threads.map(
        ({ nativeId, isUnlisted }) =>
          `${nativeId.slice(-12)}${isUnlisted === true ? ' unlisted' : ''}`,
      );
      assert.deepEqual(found.sort(), expected);
    });

  const codexMeta = JSON.stringify({
    timestamp: 't',
    type: 'session_meta',
    payload: { id: 'x', timestamp: 't', cwd: folder },
  });
  marks(
    'Codex: archived sessions',
    createCodex,
    async ({ file }) => {
      await file(`.codex/sessions/2026/01/05/${rollout('a')}`, `${codexMeta}\n`);
      await file(`.codex/archived_sessions/${rollout('b')}`, `${codexMeta}\n`);
    },
    ['a00000000000', 'b00000000000 unlisted'],
  );

  const session = (id: string) =>
    JSON.stringify({ sessionId: id, workspaceDirectory: folder, history: [] });
  marks(
    'Continue: sessions that its list lost',
    createContinue,
    async ({ file }) => {
      await file('.continue/sessions/one.json', session('one'));
      await file('.continue/sessions/two.json', session('two'));
      await file('.continue/sessions/sessions.json', '[{"sessionId":"one"}]');
    },
    ['one', 'two unlisted'],
  );
  marks(
    'Continue: a list that cannot be read says nothing',
    createContinue,
    async ({ file }) => {
      await file('.continue/sessions/one.json', session('one'));
      await file('.continue/sessions/sessions.json', '[{"sess');
    },
    ['one'],
  );

  const task = JSON.stringify([
    { role: 'user', content: `<task>x</task>\n# Current Working Directory (${folder}) Files\na` },
  ]);
  marks(
    'Cline: tasks that its history lost',
    createCline,
    async ({ file }) => {
      await file('.cline/data/tasks/1/api_conversation_history.json', task);
      await file('.cline/data/tasks/2/api_conversation_history.json', task);
      await file('.cline/data/state/taskHistory.json', '[{"id":"1"}]');
    },
    ['1', '2 unlisted'],
  );

  marks(
    'OpenCode: archived sessions',
    () => openCode,
    ({ database }) =>
      database(
        '.local/share/opencode/opencode.db',
        [
          'CREATE TABLE session (id, directory, time_updated, time_archived)',
          'CREATE TABLE message (id, session_id, time_created, time_updated, data)',
          'CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data)',
          ...['a', 'b'].flatMap((id, at) => [
            insert('session', {
              id: `ses_${id}`,
              directory: folder,
              time_updated: 1,
              time_archived: at === 0 ? null : 5,
            }),
            insert('message', {
              id,
              session_id: `ses_${id}`,
              time_created: 1,
              time_updated: 1,
              data: {},
            }),
          ]),
        ].join(';'),
      ),
    ['ses_a', 'ses_b unlisted'],
  );

  const chats = async (
    { file, database }: ReturnType<typeof sourceOn>,
    index: object,
    modifiedAt: number,
  ) => {
    const storage = '.config/Code/User/workspaceStorage/1';
    await file(`${storage}/workspace.json`, JSON.stringify({ folder: `file://${folder}` }));
    for (const id of ['one', 'two']) {
      const path = await file(
        `${storage}/chatSessions/${id}.json`,
        JSON.stringify(state([request(1)])),
      );
      await utimes(path, modifiedAt, modifiedAt);
    }
    const key = 'chat.ChatSessionStore.index';
    await database(
      `${storage}/state.vscdb`,
      `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
       ${insert('ItemTable', { key, value: index })}`,
    );
  };
  const index = { version: 1, entries: { one: { sessionId: 'one' } } };
  const hourAgo = Date.now() / 1000 - 3600;
  marks(
    'VS Code: chats beyond the 400 of its index',
    () => vscodeChat,
    (on) => chats(on, index, hourAgo),
    ['one', 'two unlisted'],
  );
  marks(
    'VS Code: one that is newer than the index on disk may be listed',
    () => vscodeChat,
    (on) => chats(on, index, Date.now() / 1000),
    ['one', 'two'],
  );
  marks(
    'VS Code: an index of another version says nothing',
    () => vscodeChat,
    (on) => chats(on, { ...index, version: 9 }, hourAgo),
    ['one', 'two'],
  );
});
