import assert from 'node:assert/strict';
import { actOf, pathsOf } from './act.js';
import type { Act } from './act.js';

suite('what a tool call does, as each agent writes it', () => {
  const does = (agent: string, name: string, input: unknown, act: Act | undefined): void => {
    test(`${agent}: ${name}${act === undefined ? ' is none of these' : ''}`, () => {
      const found = actOf({ name, input });
      assert.deepEqual(JSON.parse(JSON.stringify(found ?? null)), act ?? null);
    });
  };

  const make: Act = { kind: 'shell', command: 'make' };
  does('Claude Code', 'Bash', { command: 'make', description: 'Build' }, make);
  does('Codex', 'exec_command', { cmd: 'make' }, make);
  does(
    'Codex',
    'shell',
    { command: ['bash', '-lc', 'make'], workdir: '/a' },
    { ...make, cwd: '/a' },
  );
  does(
    'Codex',
    'local_shell',
    { command: ['make', 'all'] },
    { kind: 'shell', command: 'make all' },
  );
  does(
    'Gemini CLI',
    'run_shell_command',
    { command: 'make', dir_path: 'a' },
    { ...make, cwd: 'a' },
  );
  does('Cline', 'execute_command', { command: 'make', requires_approval: false }, make);
  does('VS Code Chat', 'run_in_terminal', { command: 'make', explanation: 'Build' }, make);
  does('Goose', 'developer__shell', { command: 'make' }, make);
  does('Continue', 'run_terminal_command', { command: 'make' }, make);
  does('any', 'Bash', { description: 'no command' }, undefined);

  const read: Act = { kind: 'read', path: 'a.ts' };
  does(
    'Claude Code',
    'Read',
    { file_path: 'a.ts', offset: 3, limit: 9 },
    { ...read, line: 3, lines: 9 },
  );
  does('OpenCode', 'read', { filePath: 'a.ts' }, read);
  does('Gemini CLI', 'read_file', { absolute_path: 'a.ts' }, read);
  does('Cursor', 'read_file', { target_file: 'a.ts' }, read);
  does('Roo Code', 'read_file', { files: [{ path: 'a.ts' }] }, read);

  const write: Act = { kind: 'write', path: 'a.ts', text: '' };
  does('Claude Code', 'Write', { file_path: 'a.ts', content: '' }, write);
  does('Cline', 'write_to_file', { path: 'a.ts', content: '' }, write);
  does('Continue', 'create_new_file', { filepath: 'a.ts', contents: '' }, write);
  does('Copilot CLI', 'create', { path: 'a.ts', file_text: '' }, write);

  const edit: Act = { kind: 'edit', path: 'a.ts', edits: [{ old: 'x', new: '' }] };
  does('Claude Code', 'Edit', { file_path: 'a.ts', old_string: 'x', new_string: '' }, edit);
  does(
    'Claude Code',
    'MultiEdit',
    { file_path: 'a.ts', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] },
    { kind: 'edit', path: 'a.ts', edits: [{ old: 'x', new: 'y', all: true }] },
  );
  does('Gemini CLI', 'replace', { file_path: 'a.ts', old_string: 'x', new_string: '' }, edit);
  does('OpenCode', 'edit', { filePath: 'a.ts', oldString: 'x', newString: '' }, edit);
  does('Pi', 'edit', { path: 'a.ts', oldText: 'x', newText: '' }, edit);
  does(
    'VS Code Chat',
    'multi_replace_string_in_file',
    { replacements: [{ filePath: 'a.ts', oldString: 'x', newString: '' }] },
    edit,
  );
  const cline = '------- SEARCH\nx\n=======\n+++++++ REPLACE\n';
  does('Cline', 'replace_in_file', { path: 'a.ts', diff: cline }, edit);
  const roo = '<<<<<<< SEARCH\n:start_line:3\n-------\nx\n=======\ny\nz\n>>>>>>> REPLACE';
  does(
    'Roo Code',
    'apply_diff',
    { path: 'a.ts', diff: roo },
    {
      kind: 'edit',
      path: 'a.ts',
      edits: [{ old: 'x', new: 'y\nz' }],
    },
  );
  does('any', 'Edit', { file_path: 'a.ts' }, undefined);

  const patch =
    '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** End Patch';
  const patched: Act = { kind: 'patch', text: patch, paths: ['a.ts', 'b.ts'] };
  does('Codex', 'apply_patch', patch, patched);
  does('OpenCode', 'apply_patch', { patchText: patch }, patched);

  does(
    'Claude Code',
    'Grep',
    { pattern: 'x', path: 'src', glob: '*.ts' },
    {
      kind: 'grep',
      pattern: 'x',
      path: 'src',
      glob: '*.ts',
    },
  );
  does(
    'Cline',
    'search_files',
    { path: 'src', regex: 'x' },
    { kind: 'grep', pattern: 'x', path: 'src' },
  );
  does('Claude Code', 'Glob', { pattern: '*.ts' }, { kind: 'glob', pattern: '*.ts' });
  does(
    'Pi',
    'find',
    { pattern: '*.ts', path: 'src' },
    { kind: 'glob', pattern: '*.ts', path: 'src' },
  );
  does('Gemini CLI', 'list_directory', { dir_path: 'src' }, { kind: 'list', path: 'src' });

  const url = 'https://a.example/b';
  does('Claude Code', 'WebFetch', { url, prompt: 'Read' }, { kind: 'fetch', url, prompt: 'Read' });
  does(
    'Gemini CLI',
    'web_fetch',
    { prompt: `Read ${url}` },
    { kind: 'fetch', url, prompt: `Read ${url}` },
  );
  does('VS Code Chat', 'fetch_webpage', { urls: [url] }, { kind: 'fetch', url });
  does('Gemini CLI', 'google_web_search', { query: 'x' }, { kind: 'webSearch', query: 'x' });

  const todos: Act = { kind: 'todos', todos: [{ text: 'x', state: 'doing' }] };
  does('Claude Code', 'TodoWrite', { todos: [{ content: 'x', status: 'in_progress' }] }, todos);
  does('Codex', 'update_plan', { plan: [{ step: 'x', status: 'in_progress' }] }, todos);
  does(
    'VS Code Chat',
    'manage_todo_list',
    { todoList: [{ title: 'x', status: 'in-progress' }] },
    todos,
  );
  does(
    'Claude Code',
    'Task',
    { prompt: 'x', description: 'y' },
    { kind: 'task', prompt: 'x', title: 'y' },
  );
  does(
    'Claude Code',
    'AskUserQuestion',
    { questions: [{ question: 'x?' }] },
    {
      kind: 'ask',
      questions: ['x?'],
    },
  );
  does('an MCP server', 'mcp__tracker__list_issues', { path: 'a' }, undefined);

  test('the files that calls name are those that they touch', () => {
    assert.deepEqual(pathsOf({ kind: 'patch', text: patch, paths: ['a.ts', 'b.ts'] }), [
      'a.ts',
      'b.ts',
    ]);
    assert.deepEqual(pathsOf(edit), ['a.ts']);
    assert.deepEqual(pathsOf(make), []);
  });

  test('arguments of any shape are nobody’s trouble', () => {
    const strange = [
      undefined,
      null,
      1,
      'x',
      [],
      [1],
      { path: 1 },
      { file_path: null },
      { edits: [null] },
    ];
    for (const name of [
      'Bash',
      'Read',
      'Write',
      'Edit',
      'apply_patch',
      'Grep',
      'Glob',
      'LS',
      'WebFetch',
      'TodoWrite',
      'Task',
      'ask_user',
    ]) {
      for (const input of strange) actOf({ name, input });
    }
  });
});
