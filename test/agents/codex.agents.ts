import { createCodex } from '../../src/agents/codex/source.js';
import { codexProgram } from './programs.js';
import { programSuite } from './programSuite.js';

programSuite('Codex', {
  program: codexProgram,
  create: createCodex,
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  write: (file, text) => ({
    name: 'exec_command',
    input: { cmd: `printf '${text.replace('\n', '\\n')}' > '${file}'` },
  }),
  failure: /^assistant: exec_command=>[\s\S]*Process exited with code 3/,
  models: ['gpt-5'],
  // Those that only call tools say nothing.
  answers: 4,
});
