import { createPi } from '../../../src/agents/pi/source.js';
import type { ProgramCase } from '../programCase.js';

const model = {
  id: 'm1',
  name: 'm1',
  reasoning: false,
  input: ['text', 'image'],
  contextWindow: 100_000,
  maxTokens: 4000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export const pi: ProgramCase = {
  program: {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent',
    version: process.env['PI_VERSION'] ?? '0.73.1',
    settings: (endpoint) => ({
      '.pi/agent/models.json': {
        providers: {
          scripted: {
            baseUrl: `${endpoint}/v1`,
            apiKey: 'dummy',
            api: 'openai-completions',
            models: [model],
          },
        },
      },
    }),
    env: () => ({ PI_OFFLINE: '1' }),
    args: (prompt, session) => {
      const resumed = session === 'latest' ? ['--continue'] : session;
      const own = resumed === 'new' ? [] : resumed;
      return ['--provider', 'scripted', '--model', 'm1', ...own, '-p', prompt];
    },
  },
  create: createPi,
  shell: (command) => ({ name: 'bash', input: { command } }),
  write: (path, content) => ({ name: 'write', input: { path, content } }),
  edit: (path, oldText, newText) => [
    [{ name: 'edit', input: { path, edits: [{ oldText, newText }] } }],
  ],
  failure: /^assistant: bash=>[\s\S]*exited with code 3/,
  marksFailure: true,
};
