import { join } from 'node:path';
import { createCopilotCli } from '../../../src/agents/copilot-cli/source.js';
import type { ProgramCase } from '../programCase.js';

/** Without a login it works with a model of one's own, and then with no other service. */
export const copilotCli: ProgramCase = {
  program: {
    name: 'copilot',
    package: ({ system, arch, isMusl }) => {
      const name = system === 'windows' ? 'win32' : isMusl ? 'linuxmusl' : system;
      return `@github/copilot-${name}-${arch}`;
    },
    binary: 'copilot',
    version: process.env['COPILOT_VERSION'] ?? '1.0.102',
    settings: () => ({}),
    env: (endpoint, folder) => ({
      COPILOT_PROVIDER_BASE_URL: `${endpoint}/v1`,
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'm1',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      // It unpacks itself.
      XDG_CACHE_HOME: join(folder, 'cache'),
      LOCALAPPDATA: join(folder, 'cache'),
    }),
    args: (prompt, session) => {
      const resumed = session === 'latest' ? ['--continue'] : session;
      return ['--allow-all', ...(resumed === 'new' ? [] : resumed), '-p', prompt];
    },
  },
  create: createCopilotCli,
  shell: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
  write: (path, file_text) => ({ name: 'create', input: { path, file_text } }),
  edit: (path, old_str, new_str) => [[{ name: 'edit', input: { path, old_str, new_str } }]],
  // It goes into a file, of which the beginning is shown.
  much: /^assistant: bash=>Output too large to read at once \(106\.3 KB\)/,
  failure: /^assistant: bash=>\s*<shellId: \d+ completed with exit code 3>$/,
  marksFailure: true,
};
