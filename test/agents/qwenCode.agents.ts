import { createQwenCode } from '../../src/agents/qwen-code/source.js';
import { qwenProgram } from './programs.js';
import { programSuite } from './programSuite.js';

programSuite('Qwen Code', {
  program: qwenProgram,
  create: createQwenCode,
  shell: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'Run it', is_background: false },
  }),
  write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
  failure: /^assistant: run_shell_command=>[\s\S]*Exit Code: 3/,
  models: ['m1'],
});
