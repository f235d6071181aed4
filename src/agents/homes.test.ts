import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sourceOf } from './registry.js';

const fixtures = new URL('../../test/fixtures/', import.meta.url).pathname;
const platforms = ['linux', 'darwin', 'win32'] as const;
type Platform = (typeof platforms)[number];

interface Place {
  readonly agent: string;
  /** Of the kept transcript. */
  readonly fixture: string;
  /** Where it lies below one of the agent's homes. */
  readonly inside: string;
  /** What stands beside it, by path below that home. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The usual homes below the user's, on every platform or on each. */
  readonly usual: readonly string[] | Readonly<Record<Platform, readonly string[]>>;
  /** Variables that move it, with where it then is below the value; by platform where only one heeds it. */
  readonly moved: Readonly<Record<string, string>>;
  readonly movedOn?: Readonly<Record<string, Platform>>;
  /** What such a variable is set to, of where it then lies; absent: that itself. */
  readonly value?: (root: string) => string;
  /** It lies in the folder that it is about, which is then asked for. */
  readonly inFolder?: boolean;
}

const id = '11110000-1111-4222-8333-444455556666';
const task = '1767600000000';
/** The folder of settings of what is made from VS Code. */
const applications = (product: string) => {
  const inside = (root: string) => join(root, product);
  return {
    usual: {
      linux: [inside('.config')],
      darwin: [inside('Library/Application Support')],
      win32: [inside('AppData/Roaming')],
    },
    moved: { XDG_CONFIG_HOME: product, APPDATA: product },
    movedOn: { XDG_CONFIG_HOME: 'linux', APPDATA: 'win32' },
  } as const;
};
const taskLog = `tasks/${task}/api_conversation_history.json`;
const extension = (name: string) => `User/globalStorage/${name}`;

const places: readonly Place[] = [
  {
    agent: 'claude-code',
    fixture: 'small.jsonl',
    inside: `projects/-w-app/${id}.jsonl`,
    usual: ['.claude'],
    moved: { CLAUDE_CONFIG_DIR: '' },
  },
  {
    agent: 'codex',
    fixture: 'small.jsonl',
    inside: `sessions/2026/01/05/rollout-2026-01-05T10-00-00-${id}.jsonl`,
    usual: ['.codex'],
    moved: { CODEX_HOME: '' },
  },
  {
    agent: 'gemini-cli',
    fixture: 'gemini-0.61.0-work.jsonl',
    inside: 'tmp/app/chats/session-2026-01-05T09-00-11110000.jsonl',
    beside: { 'tmp/app/.project_root': '/w/app' },
    usual: ['.gemini'],
    moved: { GEMINI_CLI_HOME: '.gemini' },
  },
  {
    agent: 'qwen-code',
    fixture: 'small.jsonl',
    inside: `projects/-w-app/chats/${id}.jsonl`,
    usual: ['.qwen'],
    moved: { QWEN_HOME: '', QWEN_RUNTIME_DIR: '' },
  },
  {
    agent: 'pi',
    fixture: 'small.jsonl',
    inside: `sessions/--w-app--/2026-01-05T09-00-00-000Z_${id}.jsonl`,
    usual: ['.pi/agent'],
    moved: { PI_CODING_AGENT_DIR: '' },
  },
  {
    agent: 'pi',
    fixture: 'small.jsonl',
    inside: `--w-app--/2026-01-05T09-00-00-000Z_${id}.jsonl`,
    usual: [],
    moved: { PI_CODING_AGENT_SESSION_DIR: '' },
  },
  {
    agent: 'grok',
    fixture: 'small.jsonl',
    inside: `sessions/%2Fw%2Fapp/${id}/chat_history.jsonl`,
    usual: ['.grok'],
    moved: { GROK_HOME: '' },
  },
  {
    agent: 'kimi',
    fixture: 'small.jsonl',
    inside: `sessions/wd_app/${id}/agents/main/wire.jsonl`,
    usual: ['.kimi-code'],
    moved: { KIMI_CODE_HOME: '' },
  },
  {
    agent: 'kimi',
    fixture: 'cli-wire.jsonl',
    inside: `sessions/0123456789abcdef0123456789abcdef/${id}/wire.jsonl`,
    usual: ['.kimi'],
    moved: { KIMI_SHARE_DIR: '' },
  },
  {
    agent: 'factory-droid',
    fixture: 'small.jsonl',
    inside: `sessions/-w-app/${id}.jsonl`,
    usual: ['.factory'],
    moved: { FACTORY_HOME_OVERRIDE: '.factory' },
  },
  {
    agent: 'antigravity',
    fixture: 'small.jsonl',
    inside: `brain/${id}/.system_generated/logs/transcript.jsonl`,
    usual: ['.gemini/antigravity', '.gemini/antigravity-cli', '.gemini/antigravity-ide'],
    moved: {},
  },
  {
    agent: 'aider',
    fixture: 'small.md',
    inside: '.aider.chat.history.md',
    usual: ['work/app'],
    moved: { AIDER_CHAT_HISTORY_FILE: '' },
    value: (root) => join(root, '.aider.chat.history.md'),
    inFolder: true,
  },
  {
    agent: 'crush',
    fixture: 'small.db',
    inside: '.crush/crush.db',
    usual: ['work/app'],
    moved: {},
    inFolder: true,
  },
  {
    agent: 'copilot-cli',
    fixture: 'small.jsonl',
    inside: `session-state/${id}/events.jsonl`,
    usual: ['.copilot'],
    moved: { COPILOT_HOME: '', XDG_STATE_HOME: '.copilot' },
  },
  {
    agent: 'continue',
    fixture: 'small.json',
    inside: `sessions/${id}.json`,
    usual: ['.continue'],
    moved: { CONTINUE_GLOBAL_DIR: '' },
  },
  {
    agent: 'amp',
    fixture: 'small.json',
    inside: `threads/T-${id}.json`,
    usual: ['.local/share/amp'],
    moved: { XDG_DATA_HOME: 'amp' },
  },
  {
    agent: 'opencode',
    fixture: 'opencode-1.18.33-work.db',
    inside: 'opencode.db',
    usual: ['.local/share/opencode'],
    moved: { XDG_DATA_HOME: 'opencode', APPDATA: 'opencode', LOCALAPPDATA: 'opencode' },
  },
  {
    agent: 'opencode',
    fixture: 'opencode-1.18.33-work.db',
    inside: 'mine.db',
    usual: [],
    moved: { OPENCODE_DB: '' },
    value: (root) => join(root, 'mine.db'),
  },
  {
    agent: 'kilo-code',
    fixture: 'kilo-7.7.9-hello.db',
    inside: 'kilo.db',
    usual: ['.local/share/kilo'],
    moved: { XDG_DATA_HOME: 'kilo', APPDATA: 'kilo', LOCALAPPDATA: 'kilo' },
  },
  {
    agent: 'kilo-code',
    fixture: 'kilo-7.7.9-hello.db',
    inside: 'mine.db',
    usual: [],
    moved: { KILO_DB: '' },
    value: (root) => join(root, 'mine.db'),
  },
  {
    agent: 'goose',
    fixture: 'small.db',
    inside: 'sessions/sessions.db',
    usual: ['.local/share/goose', 'Library/Application Support/Block/goose'],
    moved: { XDG_DATA_HOME: 'goose', GOOSE_PATH_ROOT: 'data', APPDATA: 'Block/goose/data' },
  },
  {
    agent: 'zed',
    fixture: 'small.db',
    inside: 'threads/threads.db',
    usual: ['.local/share/zed', 'Library/Application Support/Zed', '.var/app/dev.zed.Zed/data/zed'],
    moved: { XDG_DATA_HOME: 'zed', LOCALAPPDATA: 'Zed' },
  },
  {
    agent: 'windsurf',
    fixture: 'small.jsonl',
    inside: `transcripts/${id}.jsonl`,
    usual: ['.windsurf'],
    moved: {},
  },
  {
    agent: 'cline',
    fixture: 'cline-3.0.65-work.json',
    inside: `sessions/${task}/${task}.messages.json`,
    usual: ['.cline/data'],
    moved: { CLINE_DIR: 'data', CLINE_DATA_DIR: '' },
  },
  {
    agent: 'cline',
    fixture: 'cline-3.0.65-work.json',
    inside: `${task}/${task}.messages.json`,
    usual: [],
    moved: { CLINE_SESSION_DATA_DIR: '' },
  },
  {
    agent: 'cline',
    fixture: 'small-model-log.json',
    inside: `${extension('saoudrizwan.claude-dev')}/${taskLog}`,
    ...applications('Code'),
  },
  {
    agent: 'roo-code',
    fixture: 'small-model-log.json',
    inside: `${extension('rooveterinaryinc.roo-cline')}/${taskLog}`,
    ...applications('Code'),
  },
  {
    agent: 'kiro',
    fixture: 'small.json',
    inside: `${extension('kiro.kiroagent')}/workspace-sessions/L2hvbWUvdXNlci9zaG9w/${id}.json`,
    ...applications('Kiro'),
  },
  {
    agent: 'kiro',
    fixture: 'cli-v2.jsonl',
    inside: `sessions/cli/${id}.jsonl`,
    beside: { [`sessions/cli/${id}.json`]: JSON.stringify({ session_id: id, cwd: '/w/app' }) },
    usual: ['.kiro'],
    moved: { KIRO_HOME: '' },
  },
  {
    agent: 'kiro',
    fixture: 'cli-v3.jsonl',
    inside: `sessions/app-1/sess_${id}/messages.jsonl`,
    beside: {
      [`sessions/app-1/sess_${id}/session.json`]: JSON.stringify({
        id,
        workspacePaths: ['/w/app'],
      }),
    },
    usual: ['.kiro'],
    moved: { KIRO_HOME: '' },
  },
  {
    agent: 'kiro',
    fixture: 'cli-v1.db',
    inside: 'data.sqlite3',
    usual: ['.local/share/kiro-cli', 'Library/Application Support/kiro-cli'],
    moved: { XDG_DATA_HOME: 'kiro-cli', LOCALAPPDATA: 'kiro-cli' },
  },
  {
    agent: 'cursor',
    fixture: 'transcript.jsonl',
    inside: `projects/w-app/agent-transcripts/${id}/${id}.jsonl`,
    usual: ['.cursor'],
    moved: { CURSOR_DATA_DIR: '' },
  },
  {
    agent: 'cursor',
    fixture: 'small.db',
    inside: 'User/globalStorage/state.vscdb',
    ...applications('Cursor'),
  },
  {
    agent: 'vscode-chat',
    fixture: 'vscode-1.139.1.jsonl',
    inside: `User/globalStorage/emptyWindowChatSessions/${id}.jsonl`,
    ...applications('Code'),
  },
  {
    agent: 'vscode-chat',
    fixture: 'vscode-1.139.1.jsonl',
    inside: `User/globalStorage/emptyWindowChatSessions/${id}.jsonl`,
    usual: ['.vscode-server/data', '.vscode-server-insiders/data', '.local/share/code-server'],
    moved: { VSCODE_PORTABLE: 'user-data', VSCODE_APPDATA: 'Code' },
  },
];

suite('homes of agents', () => {
  let userHome: string;
  setup(async () => {
    userHome = await mkdtemp(join(tmpdir(), 'homes-'));
  });
  teardown(() => rm(userHome, { recursive: true }));

  for (const place of places) {
    const { agent, fixture, inside, beside = {}, usual, moved } = place;
    const put = async (home: string): Promise<void> => {
      const file = join(home, inside);
      await mkdir(dirname(file), { recursive: true });
      await copyFile(join(fixtures, agent, fixture), file);
      const wal = join(fixtures, agent, `${fixture}-wal`);
      await copyFile(wal, `${file}-wal`).catch(() => undefined);
      for (const [path, text] of Object.entries(beside)) await writeFile(join(home, path), text);
    };
    const find = async (
      platform: Platform,
      env: Readonly<Record<string, string>> = {},
      folders: readonly string[] = [],
    ) => {
      const query = { folders, everywhere: true, homes: [], env, userHome, platform };
      const { threads, problems } = (await sourceOf(agent)?.find(query)) ?? assert.fail(agent);
      assert.deepEqual(problems, []);
      return [...new Set(threads.map(({ path }) => path))];
    };

    for (const platform of platforms) {
      const homes: readonly string[] = 'linux' in usual ? usual[platform] : usual;
      for (const home of homes) {
        test(`${agent}: what is in ${home} is found on ${platform}`, async () => {
          const folders = place.inFolder === true ? [join(userHome, home)] : [];
          assert.deepEqual(await find(platform, {}, folders), []);
          await put(join(userHome, home));
          assert.deepEqual(await find(platform, {}, folders), [join(userHome, home, inside)]);
        });
      }
    }
    for (const [variable, below] of Object.entries(moved)) {
      test(`${agent}: what is where ${variable} says is found`, async () => {
        const root = join(userHome, 'else where');
        await put(join(root, below));
        const platform = place.movedOn?.[variable] ?? 'linux';
        assert.deepEqual(await find(platform), []);
        const value = place.value?.(root) ?? root;
        assert.deepEqual(await find(platform, { [variable]: value }), [join(root, below, inside)]);
      });
    }
  }

  test('crush: databases are found where its own list says, with the folders that they are about', async () => {
    const source = sourceOf('crush') ?? assert.fail();
    const global = join(userHome, 'global');
    const project = { path: '/w/app', data_dir: join(userHome, 'elsewhere') };
    await mkdir(project.data_dir);
    await mkdir(global);
    const path = join(project.data_dir, 'crush.db');
    await copyFile(join(fixtures, 'crush/small.db'), path);
    await writeFile(join(global, 'projects.json'), JSON.stringify({ projects: [project, {}, 7] }));
    const env = { CRUSH_GLOBAL_DATA: global };
    for (const query of [{ folders: [], everywhere: true }, { folders: ['/w'] }]) {
      const { threads } = await source.find({ ...query, homes: [], env, userHome });
      assert.ok(threads.length > 0);
      for (const thread of threads) assert.deepEqual([thread.path, thread.cwd], [path, '/w/app']);
    }
    const { threads } = await source.find({ folders: ['/other'], homes: [], env, userHome });
    assert.deepEqual(threads, []);
  });
});
