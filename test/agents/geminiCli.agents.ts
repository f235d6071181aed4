import { createGeminiCli } from '../../src/agents/gemini-cli/source.js';
import { geminiProgram } from './programs.js';
import { programSuite } from './programSuite.js';

programSuite('Gemini CLI', {
  program: geminiProgram,
  create: createGeminiCli,
  shell: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'Run it', is_background: false },
  }),
  write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
  failure: /^assistant: run_shell_command=>[\s\S]*Exit Code: 3/,
  namesFolder: false,
  models: ['gemini-2.5-pro'],
});
