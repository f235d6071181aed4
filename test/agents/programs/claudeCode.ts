import { createClaudeCode } from '../../../src/agents/claude-code/source.js';
import type { ProgramCase } from '../programCase.js';

const tools = 'Bash,Read,Write,Edit';
const model = 'claude-sonnet-4-5';

export const claudeCode: ProgramCase = {
  program: {
    name: 'claude',
    package: ({ system, arch, isMusl }) =>
      `@anthropic-ai/claude-code-${system === 'windows' ? 'win32' : system}-${arch}${isMusl ? '-musl' : ''}`,
    binary: 'claude',
    version: process.env['CLAUDE_VERSION'] ?? '2.1.332',
    settings: () => ({}),
    env: (endpoint) => ({
      ANTHROPIC_BASE_URL: endpoint,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: (prompt, session) => {
      const resumed = session === 'latest' ? ['--continue'] : session;
      const flags = ['--model', model, '--output-format', 'json', '--allowedTools', tools];
      return [...(resumed === 'new' ? [] : resumed), '-p', prompt, ...flags];
    },
  },
  create: createClaudeCode,
  shell: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
  write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  edit: (file_path, old_string, new_string) => [
    [
      { name: 'Read', input: { file_path } },
      { name: 'Edit', input: { file_path, old_string, new_string } },
    ],
  ],
  // It goes into a file, of which the beginning is shown.
  much: /^assistant: Bash=><persisted-output>\s*Output too large \(106\.3KB\)/,
  failure: /^assistant: Bash=>Exit code 3/,
  marksFailure: true,
  inspects: { models: [model] },
};
