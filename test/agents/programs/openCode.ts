import { kiloCode as createdKilo } from '../../../src/agents/kilo-code/source.js';
import { openCode as createdOpenCode } from '../../../src/agents/opencode/source.js';
import type { Source } from '../../../src/agents/source.js';
import type { Platform } from '../npmProgram.js';
import type { ProgramCase } from '../programCase.js';

const off = ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'SHARE'];

/** A program of OpenCode's family. */
const family = (
  word: string,
  version: string,
  packageFor: (platform: string) => string,
  source: Source,
): ProgramCase => ({
  program: {
    name: word,
    package: ({ system, arch, isMusl }: Platform) => {
      const isBuilt = arch === 'x64' || (arch === 'arm64' && system !== 'windows');
      return isBuilt ? packageFor(`${system}-${arch}${isMusl ? '-musl' : ''}`) : undefined;
    },
    binary: `bin/${word}`,
    version,
    settings: (endpoint) => ({
      [`.config/${word}/${word}.json`]: {
        autoupdate: false,
        share: 'disabled',
        model: 'scripted/m1',
        small_model: 'scripted/m1',
        permission: { '*': 'allow' },
        provider: {
          scripted: {
            npm: '@ai-sdk/anthropic',
            name: 'Scripted',
            options: { baseURL: `${endpoint}/v1`, apiKey: 'dummy' },
            models: {
              m1: {
                name: 'm1',
                tool_call: true,
                attachment: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
              },
            },
          },
        },
      },
    }),
    env: (endpoint) => ({
      // It looks for a package of its own to put beside its settings.
      npm_config_registry: endpoint,
      ...Object.fromEntries(off.map((name) => [`${word.toUpperCase()}_DISABLE_${name}`, '1'])),
    }),
    args: (prompt, session) => {
      const resumed = session === 'latest' ? ['--continue'] : session;
      return ['run', ...(resumed === 'new' ? [] : resumed), prompt];
    },
  },
  create: () => source,
  shell: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
  write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  edit: (filePath, oldString, newString) => [
    [{ name: 'read', input: { filePath } }],
    [{ name: 'edit', input: { filePath, oldString, newString } }],
  ],
  failure: /^assistant: bash=>/,
  // The command line puts a prompt of several words in quotes before it keeps it.
  kept: (prompt) => `"${prompt}"`,
  // Of much output it keeps a part, which may lack the end of what a program wrote just before it ended.
  much: /^assistant: bash=>[\s\S]*\d{4}/,
  // A model is asked for a title beside the work; it may answer too late.
  titles: ['side call', null],
  inspects: { conversations: 1 },
  rewrites: true,
});

export const openCode = family(
  'opencode',
  process.env['OPENCODE_VERSION'] ?? '1.18.33',
  (platform) => `opencode-${platform}`,
  createdOpenCode,
);

const kilo = family(
  'kilo',
  process.env['KILO_VERSION'] ?? '7.7.9',
  (platform) => `@kilocode/cli-${platform}`,
  createdKilo,
);

export const kiloCode: ProgramCase = { ...kilo, isSlow: true };
