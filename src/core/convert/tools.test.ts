import assert from 'node:assert/strict';
import type { Arguments } from './toolOps.js';
import { mapCall } from './tools.js';

/** One thing that agents do, as each of them calls it. */
interface Same {
  readonly title: string;
  readonly calls: Readonly<Record<string, readonly [name: string, input: Arguments]>>;
}

const same: readonly Same[] = [
  {
    title: 'a command',
    calls: {
      'claude-code': ['Bash', { command: 'ls' }],
      codex: ['exec_command', { cmd: 'ls' }],
      'gemini-cli': ['run_shell_command', { command: 'ls' }],
      'qwen-code': ['run_shell_command', { command: 'ls' }],
      pi: ['bash', { command: 'ls' }],
      opencode: ['bash', { command: 'ls' }],
      'kilo-code': ['bash', { command: 'ls' }],
      continue: ['Bash', { command: 'ls' }],
      cline: ['run_commands', { commands: ['ls'] }],
      'copilot-cli': ['bash', { command: 'ls' }],
      'vscode-chat': ['run_in_terminal', { command: 'ls' }],
    },
  },
  {
    title: 'reading some lines',
    calls: {
      'claude-code': ['Read', { file_path: '/a', offset: 11, limit: 5 }],
      'gemini-cli': ['read_file', { file_path: '/a', start_line: 11, end_line: 15 }],
      'qwen-code': ['read_file', { file_path: '/a', offset: 10, limit: 5 }],
      pi: ['read', { path: '/a', offset: 11, limit: 5 }],
      opencode: ['read', { filePath: '/a', offset: 11, limit: 5 }],
      'copilot-cli': ['view', { path: '/a', view_range: [11, 15] }],
      'vscode-chat': ['read_file', { filePath: '/a', startLine: 11, endLine: 15 }],
    },
  },
  {
    title: 'reading a file',
    calls: {
      'claude-code': ['Read', { file_path: '/a' }],
      'gemini-cli': ['read_file', { file_path: '/a' }],
      'qwen-code': ['read_file', { file_path: '/a' }],
      pi: ['read', { path: '/a' }],
      opencode: ['read', { filePath: '/a' }],
      continue: ['Read', { filepath: '/a' }],
      'copilot-cli': ['view', { path: '/a' }],
      'vscode-chat': ['read_file', { filePath: '/a' }],
    },
  },
  {
    title: 'writing a file',
    calls: {
      'claude-code': ['Write', { file_path: '/a', content: 'x\n' }],
      'gemini-cli': ['write_file', { file_path: '/a', content: 'x\n' }],
      'qwen-code': ['write_file', { file_path: '/a', content: 'x\n' }],
      pi: ['write', { path: '/a', content: 'x\n' }],
      opencode: ['write', { filePath: '/a', content: 'x\n' }],
      continue: ['Write', { filepath: '/a', content: 'x\n' }],
      cline: ['editor', { path: '/a', new_text: 'x\n' }],
      'copilot-cli': ['create', { path: '/a', file_text: 'x\n' }],
      'vscode-chat': ['create_file', { filePath: '/a', content: 'x\n' }],
    },
  },
  {
    title: 'an edit',
    calls: {
      'claude-code': ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }],
      'gemini-cli': ['replace', { file_path: '/a', old_string: 'x', new_string: 'y' }],
      'qwen-code': ['edit', { file_path: '/a', old_string: 'x', new_string: 'y' }],
      pi: ['edit', { path: '/a', edits: [{ oldText: 'x', newText: 'y' }] }],
      opencode: ['edit', { filePath: '/a', oldString: 'x', newString: 'y' }],
      continue: ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }],
      cline: ['editor', { path: '/a', old_text: 'x', new_text: 'y' }],
      'copilot-cli': ['edit', { path: '/a', old_str: 'x', new_str: 'y' }],
      'vscode-chat': ['replace_string_in_file', { filePath: '/a', oldString: 'x', newString: 'y' }],
    },
  },
  {
    title: 'a search in files',
    calls: {
      'claude-code': ['Grep', { pattern: 'x', path: 'src', glob: '*.ts' }],
      'gemini-cli': ['grep_search', { pattern: 'x', dir_path: 'src', include_pattern: '*.ts' }],
      'qwen-code': ['grep_search', { pattern: 'x', path: 'src', glob: '*.ts' }],
      pi: ['grep', { pattern: 'x', path: 'src', glob: '*.ts' }],
      opencode: ['grep', { pattern: 'x', path: 'src', include: '*.ts' }],
      continue: ['Search', { pattern: 'x', path: 'src', file_pattern: '*.ts' }],
      'copilot-cli': ['grep', { pattern: 'x', path: 'src', glob: '*.ts' }],
    },
  },
  {
    title: 'a search for files',
    calls: {
      'claude-code': ['Glob', { pattern: '**/*.ts' }],
      'gemini-cli': ['glob', { pattern: '**/*.ts' }],
      'qwen-code': ['glob', { pattern: '**/*.ts' }],
      pi: ['find', { pattern: '**/*.ts' }],
      opencode: ['glob', { pattern: '**/*.ts' }],
      'copilot-cli': ['glob', { pattern: '**/*.ts' }],
      'vscode-chat': ['file_search', { query: '**/*.ts' }],
    },
  },
  {
    title: 'a page with a question',
    calls: {
      'claude-code': ['WebFetch', { url: 'https://a.example', prompt: 'What?' }],
      'qwen-code': ['web_fetch', { url: 'https://a.example', prompt: 'What?' }],
    },
  },
  {
    title: 'a page',
    calls: {
      opencode: ['webfetch', { url: 'https://a.example' }],
      continue: ['Fetch', { url: 'https://a.example' }],
      'copilot-cli': ['web_fetch', { url: 'https://a.example' }],
    },
  },
  {
    title: 'a list of tasks',
    calls: {
      'claude-code': [
        'TodoWrite',
        { todos: [{ content: 'do it', status: 'in_progress', activeForm: 'do it' }] },
      ],
      codex: ['update_plan', { plan: [{ step: 'do it', status: 'in_progress' }] }],
      'gemini-cli': ['write_todos', { todos: [{ description: 'do it', status: 'in_progress' }] }],
      'qwen-code': [
        'todo_write',
        { todos: [{ content: 'do it', status: 'in_progress', id: '1' }] },
      ],
      opencode: [
        'todowrite',
        { todos: [{ content: 'do it', status: 'in_progress', priority: 'medium' }] },
      ],
      'vscode-chat': [
        'manage_todo_list',
        { todoList: [{ title: 'do it', status: 'in-progress', id: 1 }] },
      ],
    },
  },
];

suite('tools of one vendor as tools of another', () => {
  for (const { title, calls } of same) {
    for (const [from, [name, input]] of Object.entries(calls)) {
      for (const [to, [otherName, otherInput]] of Object.entries(calls)) {
        if (from === to) continue;
        test(`${title}: ${name} of ${from} is ${otherName} of ${to}, with every argument`, () => {
          assert.deepEqual(mapCall(from, to, { name, input }), {
            name: otherName,
            input: otherInput,
          });
        });
      }
    }
  }

  const keepsItsName = (title: string, from: string, to: string, name: string, input: unknown) =>
    test(`keeps its own name: ${title}`, () => {
      assert.equal(mapCall(from, to, { name, input }), undefined);
    });
  keepsItsName('an argument that has no place there', 'claude-code', 'codex', 'Bash', {
    command: 'npm start',
    run_in_background: true,
  });
  keepsItsName('an argument that nobody knows', 'claude-code', 'pi', 'Read', {
    file_path: '/a.pdf',
    pages: '1-3',
  });
  keepsItsName('an argument of another kind', 'claude-code', 'pi', 'Read', { file_path: 7 });
  keepsItsName('an edit of every place, where the tool edits one', 'claude-code', 'pi', 'Edit', {
    file_path: '/a',
    old_string: 'x',
    new_string: 'y',
    replace_all: true,
  });
  keepsItsName('several commands at once', 'cline', 'claude-code', 'run_commands', {
    commands: ['ls', 'pwd'],
  });
  keepsItsName('a tool that nobody else has', 'claude-code', 'codex', 'Task', { prompt: 'x' });
  keepsItsName('arguments that are no object', 'claude-code', 'codex', 'Bash', 'ls');
  keepsItsName('a needed argument that is missing', 'claude-code', 'codex', 'Bash', {});
  keepsItsName('a task of a state that is unknown there', 'gemini-cli', 'codex', 'write_todos', {
    todos: [{ description: 'x', status: 'cancelled' }],
  });
  keepsItsName('an unknown argument of an agent without a table', 'goose', 'codex', 'shell', {
    command: 'ls',
    strange: 1,
  });

  test('what only describes a call is left out where it has no place', () => {
    const input = { command: 'ls', description: 'List files' };
    assert.deepEqual(mapCall('claude-code', 'codex', { name: 'Bash', input })?.input, {
      cmd: 'ls',
    });
    assert.deepEqual(mapCall('claude-code', 'gemini-cli', { name: 'Bash', input })?.input, input);
  });

  test('a patch that writes one file or changes one place is a write or an edit', () => {
    const patch = (...lines: readonly string[]) =>
      mapCall('codex', 'claude-code', {
        name: 'apply_patch',
        input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
      });
    assert.deepEqual(patch('*** Add File: a.txt', '+one', '+', '+two'), {
      name: 'Write',
      input: { file_path: 'a.txt', content: 'one\n\ntwo\n' },
    });
    assert.deepEqual(patch('*** Update File: a.txt', '@@', ' same', '-old', '+new'), {
      name: 'Edit',
      input: { file_path: 'a.txt', old_string: 'same\nold', new_string: 'same\nnew' },
    });
    assert.equal(patch('*** Delete File: a.txt'), undefined);
    assert.equal(patch('*** Add File: a', '+1', '*** Add File: b', '+2'), undefined);
    assert.equal(patch('*** Update File: a', '@@ f()', '-old', '+new'), undefined);
    assert.equal(patch('*** Update File: a', '@@', '-1', '+2', '@@', '-3', '+4'), undefined);
  });

  test('an agent without a table is understood by the usual names, where every argument is', () => {
    assert.deepEqual(
      mapCall('goose', 'claude-code', { name: 'developer__shell', input: { command: 'ls' } }),
      { name: 'Bash', input: { command: 'ls' } },
    );
    assert.deepEqual(
      mapCall('cursor', 'codex', {
        name: 'run_terminal_cmd',
        input: { command: 'ls', is_background: false },
      }),
      { name: 'exec_command', input: { cmd: 'ls' } },
    );
  });
});
