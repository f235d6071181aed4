import { createGeminiCli } from '../../../src/agents/gemini-cli/source.js';
import type { ProgramCase } from '../programCase.js';

export const geminiCli: ProgramCase = {
  program: {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: process.env['GEMINI_VERSION'] ?? '0.61.0',
    settings: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      },
    }),
    env: (endpoint) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: endpoint }),
    args: (prompt, session) => {
      const flags = ['--skip-trust', '--yolo', '-m', 'gemini-2.5-pro'];
      const resumed = session === 'latest' ? ['--resume', 'latest'] : session;
      return [...flags, ...(resumed === 'new' ? [] : resumed), '-p', prompt];
    },
  },
  create: createGeminiCli,
  shell: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'Run it', is_background: false },
  }),
  write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
  edit: (file_path, old_string, new_string) => [
    [{ name: 'replace', input: { file_path, old_string, new_string, instruction: 'Change it' } }],
  ],
  failure: /^assistant: run_shell_command=>[\s\S]*Exit Code: 3/,
  // Seen with 0.61.0.
  repeatsResults: true,
  inspects: { cwd: null, models: ['gemini-2.5-pro'] },
};
