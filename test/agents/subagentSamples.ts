import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { dashed } from '../../src/agents/folders.js';
import { writing as claude } from './claudeRecords.js';
import { writing as codex } from './codexRecords.js';
import { ComposerWriter, stateScript } from './cursorRows.js';
import { gemini, linesOf, metadata, user } from './geminiRecords.js';
import { databaseScript, OpenCodeWriter } from './openCodeRows.js';
import { writing as qwen } from './qwenRecords.js';
import { insert, quoted } from './sourceOn.js';

/** A store in which one conversation, `child`, was started by another, `parent`, as a subagent. */
export interface SubagentSample {
  readonly agent: string;
  /** Files by path below the user's home. */
  readonly files?: Readonly<Record<string, string>>;
  /** Databases, by path below the user's home, as the scripts that make them. */
  readonly databases?: Readonly<Record<string, string>>;
  readonly parent: string;
  readonly child: string;
}

/** The folder that they are about, but for those whose store lies in their folder: that is the home. */
export const subagentFolder = '/w/app';

const cwd = subagentFolder;
const id = (at: number) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const claudeFolder = `.claude/projects/${encodeFolder(cwd)}`;
const codexFile = (at: number) =>
  `.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-${id(at)}.jsonl`;
const codexText = (at: number, more = {}) =>
  text(
    codex((to) => {
      to.meta({ id: id(at), cwd, ...more });
      to.prompt('go');
    }),
  );
const geminiText = (at: number) =>
  text(linesOf(metadata({ sessionId: id(at) }), user('m1', 'go'), gemini('m2', 'done')));
const qwenText = text(qwen((to) => void to.user('go'), { cwd }));
const talk = (session: string) => new OpenCodeWriter(session, cwd).user('go').say('done');
const sessions = databaseScript(talk('ses_a'), talk('ses_b').setSession({ parent_id: 'ses_a' }));
const composer = (name: string, more = {}) => {
  const workspaceIdentifier = { id: 'w', uri: { fsPath: cwd, scheme: 'file' } };
  return new ComposerWriter(name, { workspaceIdentifier, ...more }).user('go').say('done').rows();
};
const crushSchema = `CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, todos TEXT, updated_at INTEGER, created_at INTEGER);
CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, is_summary_message INTEGER, created_at INTEGER, updated_at INTEGER)`;
const crushSession = (name: string, parent: string | null) => {
  const at = { created_at: 1, updated_at: 1 };
  const parts = [{ type: 'text', data: { text: 'go' } }];
  return [
    insert('sessions', { id: name, parent_session_id: parent, title: name, ...at }),
    insert('messages', { id: `m-${name}`, session_id: name, role: 'user', parts, ...at }),
  ];
};
const zedThread = (name: string, parent: string | null) => {
  const data = { title: name, messages: [{ User: { id: 'u', content: [{ Text: 'go' }] } }] };
  const bytes = Buffer.from(JSON.stringify(data));
  const at = '2026-11-30T05:00:00Z';
  const values = [name, parent, cwd, name, at, at, 'json', bytes];
  return `INSERT INTO threads VALUES (${values.map(quoted).join()})`;
};
const zedSchema = `CREATE TABLE threads (id TEXT, parent_id TEXT, folder_paths TEXT, summary TEXT, updated_at TEXT,
  created_at TEXT, data_type TEXT, data BLOB)`;

const taskFiles = (store: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['1767600000001', '1767600000002'].flatMap((name, at) => {
      const about = {
        id: name,
        workspace: cwd,
        ...(at === 1 && { parentTaskId: '1767600000001' }),
      };
      const prompt = { role: 'user', content: [{ type: 'text', text: '<task>\ngo\n</task>' }] };
      return [
        [`${store}/tasks/${name}/history_item.json`, JSON.stringify(about)],
        [`${store}/tasks/${name}/api_conversation_history.json`, JSON.stringify([prompt])],
      ];
    }),
  );

export const subagentSamples: readonly SubagentSample[] = [
  {
    agent: 'claude-code',
    files: {
      [`${claudeFolder}/${id(1)}.jsonl`]: text(claude((to) => to.user('go', { cwd }))),
      [`${claudeFolder}/${id(1)}/subagents/agent-a.jsonl`]: text(
        claude((to) => to.user('go', { cwd, isSidechain: true })),
      ),
    },
    parent: id(1),
    child: 'agent-a',
  },
  {
    agent: 'codex',
    files: {
      [codexFile(1)]: codexText(1),
      [codexFile(2)]: codexText(2, {
        source: { subagent: { thread_spawn: { parent_thread_id: id(1), depth: 1 } } },
      }),
    },
    parent: id(1),
    child: id(2),
  },
  {
    agent: 'gemini-cli',
    files: {
      '.gemini/tmp/app/.project_root': cwd,
      [`.gemini/tmp/app/chats/session-2026-01-05T09-00-${id(1).slice(0, 8)}.jsonl`]: geminiText(1),
      [`.gemini/tmp/app/chats/${id(1)}/${id(2)}.jsonl`]: geminiText(2),
    },
    parent: id(1),
    child: id(2),
  },
  {
    agent: 'qwen-code',
    files: {
      [`.qwen/projects/${dashed(cwd)}/chats/${id(1)}.jsonl`]: qwenText,
      [`.qwen/projects/${dashed(cwd)}/subagents/${id(1)}/agent-a.jsonl`]: qwenText,
    },
    parent: id(1),
    child: 'agent-a',
  },
  {
    agent: 'opencode',
    databases: { '.local/share/opencode/opencode.db': sessions },
    parent: 'ses_a',
    child: 'ses_b',
  },
  {
    agent: 'kilo-code',
    databases: { '.local/share/kilo/kilo.db': sessions },
    parent: 'ses_a',
    child: 'ses_b',
  },
  {
    agent: 'roo-code',
    files: taskFiles('.config/Code/User/globalStorage/rooveterinaryinc.roo-cline'),
    parent: '1767600000001',
    child: '1767600000002',
  },
  {
    agent: 'cursor',
    databases: {
      '.config/Cursor/User/globalStorage/state.vscdb': stateScript('cursorDiskKV', {
        ...composer(id(1), { subagentComposerIds: [id(2)] }),
        ...composer(id(2)),
      }),
    },
    parent: id(1),
    child: id(2),
  },
  {
    agent: 'crush',
    databases: {
      '.crush/crush.db': [
        crushSchema,
        ...crushSession('one', null),
        ...crushSession('two', 'one'),
      ].join(';\n'),
    },
    parent: 'one',
    child: 'two',
  },
  {
    agent: 'zed',
    databases: {
      '.local/share/zed/threads/threads.db': [
        zedSchema,
        zedThread('one', null),
        zedThread('two', 'one'),
      ].join(';\n'),
    },
    parent: 'one',
    child: 'two',
  },
];
