import { createCodex } from '../../../src/agents/codex/source.js';
import type { ProgramCase } from '../programCase.js';

export const codex: ProgramCase = {
  program: {
    name: 'codex',
    package: '@openai/codex',
    version: process.env['CODEX_VERSION'] ?? '0.171.0',
    settings: (endpoint) => ({
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${endpoint}/v1"`,
        'wire_api = "responses"',
        'env_key = "SCRIPTED_KEY"',
        '',
      ].join('\n'),
    }),
    env: () => ({ SCRIPTED_KEY: 'dummy' }),
    // `codex resume` is for a terminal; `codex exec resume` is the same without one.
    args: (prompt, session) => {
      const flags = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
      if (session === 'new') return [...flags, prompt];
      return [...flags, ...(session === 'latest' ? ['resume', '--last'] : session), prompt];
    },
  },
  create: createCodex,
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  write: (file, text) => ({
    name: 'exec_command',
    input: { cmd: `printf '${text.replace('\n', '\\n')}' > '${file}'` },
  }),
  edit: (file, from, to) => [[{ name: 'apply_patch', input: patch(file, from, to) }]],
  failure: /^assistant: exec_command=>[\s\S]*Process exited with code 3/,
  marksFailure: true,
  cut: /…\d+ tokens truncated…/,
  // Those that only call tools say nothing.
  inspects: { models: ['gpt-5.5'], assistantMessages: 5 },
};

const patch = (file: string, from: string, to: string): string =>
  [
    '*** Begin Patch',
    `*** Update File: ${file}`,
    '@@',
    `-${from}`,
    `+${to}`,
    '*** End Patch',
    '',
  ].join('\n');
