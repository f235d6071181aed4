import { readPatch } from './patch.js';
import type { Arguments, Op } from './toolOps.js';
import { fromZero, isArguments, items, scaled, type VendorTool } from './vendorTool.js';

const claudeTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'Bash',
    fields: {
      command: 'command',
      description: 'description',
      timeout: 'timeout',
      background: 'run_in_background',
    },
    ignored: ['dangerouslyDisableSandbox'],
  },
  { op: 'read', name: 'Read', fields: { path: 'file_path', from: 'offset', lines: 'limit' } },
  { op: 'write', name: 'Write', fields: { path: 'file_path', content: 'content' } },
  {
    op: 'edit',
    name: 'Edit',
    fields: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'replace_all' },
  },
  {
    op: 'grep',
    name: 'Grep',
    fields: { pattern: 'pattern', path: 'path', files: 'glob' },
    ignored: ['output_mode', '-n'],
  },
  { op: 'glob', name: 'Glob', fields: { pattern: 'pattern', path: 'path' } },
  { op: 'list', name: 'LS', fields: { path: 'path' }, old: true },
  { op: 'fetch', name: 'WebFetch', fields: { url: 'url', question: 'prompt' } },
  {
    op: 'todo',
    name: 'TodoWrite',
    ...items('todos', 'content', ({ text }) => ({ activeForm: text })),
  },
];

/** What a shell was given as a list of words, where one of them is the whole command. */
const shellWords = (input: unknown): Arguments | undefined => {
  const { command, workdir, timeout_ms: timeout } = isArguments(input) ? input : {};
  const words = Array.isArray(command) ? (command as readonly unknown[]) : [];
  const [shell, flag, text] = words;
  const isLine =
    words.length === 3 && /(?:^|\/)(?:ba|z)?sh$/.test(String(shell)) && /^-l?c$/.test(String(flag));
  return isLine ? { command: text, folder: workdir, timeout } : undefined;
};

/** How much to wait and to show, and what was asked of the person: no part of what was done. */
const codexIgnored = [
  'yield_time_ms',
  'max_output_tokens',
  'justification',
  'sandbox_permissions',
  'prefix_rule',
  'login',
  'tty',
  'with_escalated_permissions',
];

const patchOf = (op: Op): VendorTool => ({
  op,
  name: 'apply_patch',
  old: true,
  read: (input) => {
    const patch = isArguments(input) ? (input['input'] ?? input['patch']) : input;
    const found = typeof patch === 'string' ? readPatch(patch) : undefined;
    return found?.op === op ? found.args : undefined;
  },
});

const codexTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'exec_command',
    fields: { command: 'cmd', folder: 'workdir' },
    ignored: codexIgnored,
  },
  {
    op: 'shell',
    name: 'shell_command',
    fields: { command: 'command', folder: 'workdir', timeout: 'timeout_ms' },
    ignored: codexIgnored,
    old: true,
  },
  { op: 'shell', name: 'shell', read: shellWords, old: true },
  { op: 'shell', name: 'local_shell', read: shellWords, old: true },
  patchOf('write'),
  patchOf('edit'),
  { op: 'todo', name: 'update_plan', ...items('plan', 'step'), ignored: ['explanation'] },
];

/** Gemini CLI counts to a last line; others count lines. */
const geminiRead: VendorTool = {
  op: 'read',
  name: 'read_file',
  read: (input) => {
    if (!isArguments(input)) return undefined;
    const { file_path: path, start_line: from, end_line: last, ...rest } = input;
    if (Object.keys(rest).length > 0) return undefined;
    return { path, from, lines: typeof last === 'number' ? last + 1 - Number(from ?? 1) : last };
  },
  make: ({ path, from, lines }) => ({
    file_path: path,
    ...(from !== undefined && { start_line: from }),
    ...(lines !== undefined && { end_line: Number(from ?? 1) + Number(lines) - 1 }),
  }),
};

const geminiTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'run_shell_command',
    fields: {
      command: 'command',
      description: 'description',
      folder: 'dir_path',
      background: 'is_background',
    },
  },
  geminiRead,
  {
    op: 'read',
    name: 'read_file',
    fields: { path: 'absolute_path', from: fromZero('offset'), lines: 'limit' },
    old: true,
  },
  { op: 'write', name: 'write_file', fields: { path: 'file_path', content: 'content' } },
  {
    op: 'edit',
    name: 'replace',
    fields: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'allow_multiple' },
    ignored: ['instruction', 'expected_replacements'],
  },
  {
    op: 'grep',
    name: 'grep_search',
    fields: { pattern: 'pattern', path: 'dir_path', files: 'include_pattern' },
  },
  {
    op: 'grep',
    name: 'search_file_content',
    fields: { pattern: 'pattern', path: 'path', files: 'include' },
    old: true,
  },
  { op: 'glob', name: 'glob', fields: { pattern: 'pattern', path: 'dir_path' } },
  { op: 'list', name: 'list_directory', fields: { path: 'dir_path' } },
  { op: 'todo', name: 'write_todos', ...items('todos', 'description') },
];

const qwenTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'run_shell_command',
    fields: {
      command: 'command',
      description: 'description',
      folder: 'directory',
      timeout: 'timeout',
      background: 'is_background',
    },
  },
  {
    op: 'read',
    name: 'read_file',
    fields: { path: 'file_path', from: fromZero('offset'), lines: 'limit' },
  },
  {
    op: 'read',
    name: 'read_file',
    fields: { path: 'absolute_path', from: fromZero('offset'), lines: 'limit' },
    old: true,
  },
  { op: 'write', name: 'write_file', fields: { path: 'file_path', content: 'content' } },
  {
    op: 'edit',
    name: 'edit',
    fields: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'replace_all' },
  },
  {
    op: 'grep',
    name: 'grep_search',
    fields: { pattern: 'pattern', path: 'path', files: 'glob' },
  },
  { op: 'glob', name: 'glob', fields: { pattern: 'pattern', path: 'path' } },
  { op: 'list', name: 'list_directory', fields: { path: 'path' } },
  {
    op: 'fetch',
    name: 'web_fetch',
    fields: { url: 'url', question: 'prompt' },
    ignored: ['format'],
  },
  {
    op: 'todo',
    name: 'todo_write',
    ...items('todos', 'content', (_item, at) => ({ id: String(at + 1) })),
  },
];

const piTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'bash',
    fields: { command: 'command', timeout: scaled('timeout', 1000) },
  },
  { op: 'read', name: 'read', fields: { path: 'path', from: 'offset', lines: 'limit' } },
  { op: 'write', name: 'write', fields: { path: 'path', content: 'content' } },
  {
    op: 'edit',
    name: 'edit',
    read: (input) => {
      if (!isArguments(input)) return undefined;
      const { path, edits, ...rest } = input;
      const [first, ...others] = Array.isArray(edits) ? (edits as readonly unknown[]) : [rest];
      if (!isArguments(first) || others.length > 0) return undefined;
      return { path, old: first['oldText'], new: first['newText'] };
    },
    make: ({ path, old, new: text, all }) =>
      all === true ? undefined : { path, edits: [{ oldText: old, newText: text }] },
  },
  { op: 'grep', name: 'grep', fields: { pattern: 'pattern', path: 'path', files: 'glob' } },
  { op: 'glob', name: 'find', fields: { pattern: 'pattern', path: 'path' } },
  { op: 'list', name: 'ls', fields: { path: 'path' } },
];

const openCodeTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'bash',
    fields: {
      command: 'command',
      description: 'description',
      folder: 'workdir',
      timeout: 'timeout',
    },
  },
  { op: 'read', name: 'read', fields: { path: 'filePath', from: 'offset', lines: 'limit' } },
  { op: 'write', name: 'write', fields: { path: 'filePath', content: 'content' } },
  {
    op: 'edit',
    name: 'edit',
    fields: { path: 'filePath', old: 'oldString', new: 'newString', all: 'replaceAll' },
  },
  { op: 'grep', name: 'grep', fields: { pattern: 'pattern', path: 'path', files: 'include' } },
  { op: 'glob', name: 'glob', fields: { pattern: 'pattern', path: 'path' } },
  { op: 'list', name: 'list', fields: { path: 'path' } },
  { op: 'fetch', name: 'webfetch', fields: { url: 'url' }, ignored: ['format', 'timeout'] },
  {
    op: 'todo',
    name: 'todowrite',
    ...items('todos', 'content', () => ({ priority: 'medium' })),
  },
];

const continueTools: readonly VendorTool[] = [
  { op: 'shell', name: 'Bash', fields: { command: 'command' } },
  { op: 'read', name: 'Read', fields: { path: 'filepath' } },
  { op: 'write', name: 'Write', fields: { path: 'filepath', content: 'content' } },
  {
    op: 'edit',
    name: 'Edit',
    fields: { path: 'file_path', old: 'old_string', new: 'new_string', all: 'replace_all' },
  },
  {
    op: 'grep',
    name: 'Search',
    fields: { pattern: 'pattern', path: 'path', files: 'file_pattern' },
  },
  { op: 'list', name: 'List', fields: { path: 'dirpath' } },
  { op: 'fetch', name: 'Fetch', fields: { url: 'url' } },
];

/** Its tools take lists; one of one is another's call. */
const clineTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'run_commands',
    read: (input) => {
      const commands = isArguments(input) ? input['commands'] : undefined;
      const [command, ...others] = Array.isArray(commands) ? (commands as readonly unknown[]) : [];
      return others.length === 0 ? { command } : undefined;
    },
    make: ({ command, folder, timeout, background }) =>
      (folder ?? timeout ?? background) === undefined ? { commands: [command] } : undefined,
  },
  {
    op: 'edit',
    name: 'editor',
    fields: { path: 'path', old: 'old_text', new: 'new_text' },
  },
  { op: 'write', name: 'editor', fields: { path: 'path', content: 'new_text' } },
];

const copilotCliTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'bash',
    fields: { command: 'command', description: 'description' },
    ignored: ['initial_wait', 'sessionId', 'shellId', 'async', 'mode'],
  },
  {
    op: 'read',
    name: 'view',
    read: (input) => {
      if (!isArguments(input)) return undefined;
      const { path, view_range: range, ...rest } = input;
      if (Object.keys(rest).length > 0) return undefined;
      if (!Array.isArray(range)) return { path };
      const [from, last] = range.map(Number);
      if (from === undefined || last === undefined) return undefined;
      return { path, from, lines: last < 0 ? undefined : last + 1 - from };
    },
    make: ({ path, from, lines }) => ({
      path,
      ...((from ?? lines) !== undefined && {
        view_range: [from ?? 1, lines === undefined ? -1 : Number(from ?? 1) + Number(lines) - 1],
      }),
    }),
  },
  { op: 'write', name: 'create', fields: { path: 'path', content: 'file_text' } },
  { op: 'edit', name: 'edit', fields: { path: 'path', old: 'old_str', new: 'new_str' } },
  { op: 'grep', name: 'grep', fields: { pattern: 'pattern', path: 'path', files: 'glob' } },
  { op: 'glob', name: 'glob', fields: { pattern: 'pattern', path: 'path' } },
  { op: 'fetch', name: 'web_fetch', fields: { url: 'url' } },
];

const chatWords = { open: 'not-started', doing: 'in-progress', done: 'completed' } as const;

const chatTools: readonly VendorTool[] = [
  {
    op: 'shell',
    name: 'run_in_terminal',
    fields: { command: 'command', description: 'explanation', background: 'isBackground' },
    ignored: ['goal', 'mode'],
  },
  {
    op: 'read',
    name: 'read_file',
    read: (input) => {
      if (!isArguments(input)) return undefined;
      const { filePath: path, startLine: from, endLine: last, offset, limit, ...rest } = input;
      if (Object.keys(rest).length > 0) return undefined;
      if (typeof last !== 'number') return { path, from: from ?? offset, lines: limit };
      return { path, from, lines: last + 1 - Number(from ?? 1) };
    },
    make: ({ path, from, lines }) => ({
      filePath: path,
      ...(from !== undefined && { startLine: from }),
      ...(lines !== undefined && { endLine: Number(from ?? 1) + Number(lines) - 1 }),
    }),
  },
  { op: 'write', name: 'create_file', fields: { path: 'filePath', content: 'content' } },
  {
    op: 'edit',
    name: 'replace_string_in_file',
    fields: { path: 'filePath', old: 'oldString', new: 'newString' },
    ignored: ['explanation'],
  },
  {
    op: 'grep',
    name: 'grep_search',
    fields: { pattern: 'query', files: 'includePattern' },
    ignored: ['isRegexp', 'maxResults'],
    always: { isRegexp: true },
  },
  { op: 'glob', name: 'file_search', fields: { pattern: 'query' }, ignored: ['maxResults'] },
  { op: 'list', name: 'list_dir', fields: { path: 'path' } },
  {
    op: 'todo',
    name: 'manage_todo_list',
    ...items('todoList', 'title', (_item, at) => ({ id: at + 1 }), chatWords),
    ignored: ['operation', 'explanation'],
  },
];

/**
 * The vendors' own tools. Names and arguments were read off the requests of the real programs (Claude
 * Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, Qwen Code 0.15.10, Pi 0.73.1, OpenCode 1.18.33, Cline
 * 3.0.65, Continue 1.5.47, Copilot CLI 1.0.102) on 2026-11-30; older forms come from kept transcripts.
 */
export const toolTable: Readonly<Record<string, readonly VendorTool[]>> = {
  'claude-code': claudeTools,
  codex: codexTools,
  'gemini-cli': geminiTools,
  'qwen-code': qwenTools,
  pi: piTools,
  opencode: openCodeTools,
  'kilo-code': openCodeTools,
  continue: continueTools,
  cline: clineTools,
  'copilot-cli': copilotCliTools,
  'vscode-chat': chatTools,
};
