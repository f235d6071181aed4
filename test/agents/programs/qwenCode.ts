import { createQwenCode } from '../../../src/agents/qwen-code/source.js';
import type { ProgramCase } from '../programCase.js';

export const qwenCode: ProgramCase = {
  program: {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    // Later versions want Node.js 22.
    version: process.env['QWEN_VERSION'] ?? '0.15.10',
    settings: () => ({
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        // Pictures are left out for a model of which it does not know that it takes them.
        model: { generationConfig: { modalities: { image: true } } },
      },
    }),
    env: (endpoint) => ({
      OPENAI_API_KEY: 'dummy',
      OPENAI_BASE_URL: `${endpoint}/v1`,
      OPENAI_MODEL: 'm1',
    }),
    args: (prompt, session) => {
      const resumed = session === 'latest' ? ['--continue'] : session;
      return ['--yolo', ...(resumed === 'new' ? [] : resumed), '-p', prompt];
    },
  },
  create: createQwenCode,
  shell: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'Run it', is_background: false },
  }),
  write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
  edit: (file_path, old_string, new_string) => [
    [{ name: 'read_file', input: { file_path } }],
    [{ name: 'edit', input: { file_path, old_string, new_string } }],
  ],
  failure: /^assistant: run_shell_command=>[\s\S]*Exit Code: 3/,
};
