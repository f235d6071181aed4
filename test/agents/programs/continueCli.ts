import { createContinue } from '../../../src/agents/continue/source.js';
import type { ProgramCase } from '../programCase.js';

export const continueCli: ProgramCase = {
  program: {
    name: 'cn',
    package: '@continuedev/cli',
    version: process.env['CONTINUE_VERSION'] ?? '1.5.47',
    settings: (endpoint) => ({
      '.continue/config.yaml': [
        'name: scripted',
        'version: 0.0.1',
        'schema: v1',
        'models:',
        '  - name: m1',
        '    provider: openai',
        '    model: m1',
        '    apiKey: dummy',
        `    apiBase: ${endpoint}/v1`,
        '    roles: [chat]',
        '    capabilities: [tool_use]',
        '',
      ].join('\n'),
    }),
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    args: (prompt, session) => {
      const resumed = session === 'latest' ? ['--resume'] : session;
      return ['--auto', ...(resumed === 'new' ? [] : resumed), '-p', prompt];
    },
  },
  create: createContinue,
  shell: (command) => ({ name: 'Bash', input: { command } }),
  write: (filepath, content) => ({ name: 'Write', input: { filepath, content } }),
  edit: (file_path, old_string, new_string) => [
    [{ name: 'Read', input: { filepath: file_path } }],
    [{ name: 'Edit', input: { file_path, old_string, new_string } }],
  ],
  failure: /^assistant: Bash=>/,
  thinks: false,
  forks: true,
  keepsAtEnd: true,
};
