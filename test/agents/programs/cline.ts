import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCline } from '../../../src/agents/cline/source.js';
import type { ProgramCase } from '../programCase.js';

export const cline: ProgramCase = {
  program: {
    name: 'cline',
    package: ({ system, arch, isMusl }) => (isMusl ? undefined : `@cline/cli-${system}-${arch}`),
    binary: 'bin/cline',
    version: process.env['CLINE_VERSION'] ?? '3.0.65',
    settings: (endpoint) => ({
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: 'dummy',
              model: 'm1',
              baseUrl: `${endpoint}/v1`,
            },
            updatedAt: '2026-11-30T08:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    }),
    // Else a process stays behind that all of a home's sessions share.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local' }),
    args: (prompt) => ['--auto-approve', 'true', prompt],
    // `cline --id` shows the session and waits for somebody to type.
    terminal: {
      flags: [],
      isReady: (shown) => shown.includes('\u001b]0;> '),
      isDone: async (home, prompt) => {
        const folder = join(home, '.cline/data/sessions');
        for (const id of await readdir(folder)) {
          if (await isAnswered(join(folder, id, id), prompt)) return true;
        }
        return false;
      },
    },
  },
  create: createCline,
  shell: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
  write: (path, new_text) => ({ name: 'editor', input: { path, new_text } }),
  edit: (path, old_text, new_text) => [[{ name: 'editor', input: { path, old_text, new_text } }]],
  failure: /^assistant: run_commands=>\[Command exited with code 3\]$/,
  marksFailure: true,
  cut: /\.\.\.\[truncated \d+ chars\]\.\.\./,
  noLatest: true,
  rewrites: true,
};

/** Whether the newest prompt of a session is this one, its answer is kept and the program is at rest. */
async function isAnswered(session: string, prompt: string): Promise<boolean> {
  try {
    const { status } = JSON.parse(await readFile(`${session}.json`, 'utf8')) as { status: string };
    const { messages } = JSON.parse(await readFile(`${session}.messages.json`, 'utf8')) as {
      messages: readonly { readonly role: string; readonly content: unknown }[];
    };
    const last = messages.at(-1);
    const newest = messages.findLast(({ role, content }) => {
      return role === 'user' && JSON.stringify(content).includes('<user_input');
    });
    const isAnswer = last?.role === 'assistant' && !JSON.stringify(last).includes('"tool_use"');
    const isAsked = JSON.stringify(newest?.content ?? '').includes(
      JSON.stringify(prompt).slice(1, -1),
    );
    return status !== 'running' && isAnswer && isAsked;
  } catch {
    // It is being written.
    return false;
  }
}
