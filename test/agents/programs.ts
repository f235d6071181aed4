import type { NpmProgram } from './npmProgram.js';

export const codexProgram: NpmProgram = {
  name: 'codex',
  package: '@openai/codex',
  version: process.env['CODEX_VERSION'] ?? '0.171.0',
  settings: (endpoint) => ({
    '.codex/config.toml': [
      'model = "gpt-5"',
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
};

export const geminiProgram: NpmProgram = {
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
};

export const qwenProgram: NpmProgram = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  // Later versions want Node.js 22.
  version: process.env['QWEN_VERSION'] ?? '0.15.10',
  settings: () => ({
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
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
};

const model = {
  id: 'm1',
  name: 'm1',
  reasoning: false,
  input: ['text'],
  contextWindow: 100_000,
  maxTokens: 4000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export const piProgram: NpmProgram = {
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
    return [
      '--provider',
      'scripted',
      '--model',
      'm1',
      ...(resumed === 'new' ? [] : resumed),
      '-p',
      prompt,
    ];
  },
};
