import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sourceOf } from '../../agents/registry.js';
import { isExpected } from '../../core/errors.js';
import type { ContinueRequest } from '../../core/model/continuation.js';
import { noRedactionSettings } from '../../core/redact/settings.js';
import { maskedThread } from '../maskedThread.js';
import { planContinuation } from '../continueThread.js';
import { createHandoffMask } from './handoffMask.js';

/** One of each way in which a secret is known to be one. */
const canaries = {
  'by the mark of its vendor': ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join(''),
  'by what stands around it': ['Xk9!mm', 'Q2vT'].join(''),
  'by a file of secrets': ['plain-', 'looking-words'].join(''),
  "by the user's own rule": ['acme-', '4711'].join(''),
};
const [token, password, known, own] = Object.values(canaries);
const settings = { ...noRedactionSettings, rules: [{ name: 'acme', pattern: 'acme-\\d{4}' }] };

suite('no secret goes to another agent or into the clipboard', () => {
  let folder = '';
  setup(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'keepthread-mask-')));
    await writeFile(path.join(folder, '.env'), `SESSION_SECRET=${known}\n`);
  });
  teardown(() => rm(folder, { recursive: true, force: true }));

  const loadMask = () => createHandoffMask({ settings, folders: [folder] });
  const said = (): string =>
    `token ${token}, the password is ${password}, it says ${known} and ${own} in ${folder}/src/a.ts`;

  /** A conversation of Claude Code, secrets in prompts, answers, calls and results, as its own records. */
  const origin = () => {
    const parser = sourceOf('claude-code')?.parser('11111111-1111-4111-8111-111111111111', {});
    assert.ok(parser);
    let last: string | null = null;
    let count = 0;
    const push = (type: string, content: unknown): void => {
      const uuid = `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
      const message = { role: type, id: uuid, content };
      const at = { cwd: folder, timestamp: '2026-01-02T03:04:05.000Z' };
      const record = { type, uuid, parentUuid: last, ...at, gitBranch: 'main', message };
      parser.push(new TextEncoder().encode(JSON.stringify(record)));
      last = uuid;
    };
    for (let turn = 0; turn < 12; turn += 1) {
      const id = `toolu_${turn}`;
      const input = { command: `deploy --note "${said()}"` };
      push('user', `Step ${turn}: ${said()}`);
      push('assistant', [{ type: 'tool_use', id, name: 'Bash', input }]);
      push('user', [{ type: 'tool_result', tool_use_id: id, is_error: true, content: said() }]);
      push('assistant', [{ type: 'text', text: `I decided to use ${said()}` }]);
    }
    const session = { title: `Deploy with ${said()}`, goal: said() };
    return { thread: { ...parser.thread(), cwd: folder }, about: { session } };
  };

  const plan = (request: Pick<ContinueRequest, 'only' | 'tokens'>) =>
    planContinuation(origin(), { agent: 'codex', folder, ...request }, loadMask);

  const holdsNone = (text: string): void => {
    for (const [how, secret] of Object.entries(canaries)) {
      assert.ok(!text.includes(secret), `known ${how}: ${text}`);
    }
  };

  test('a brief of any size tells paths, and no secret, cut or whole', async () => {
    for (const tokens of [400, 700, 1000, 2000, 6000]) {
      const { prompt = '', command } = await plan({ only: 'brief', tokens });
      holdsNone(prompt);
      holdsNone(command.join(' '));
      assert.ok(prompt.includes(folder), prompt);
    }
  });

  test('a brief has a mark where a secret was', async () => {
    const { prompt = '' } = await plan({ only: 'brief' });
    assert.match(prompt, /\[REDACTED:[\w-]+#\d+\]/);
  });

  const written = async (request: Pick<ContinueRequest, 'only' | 'tokens'>): Promise<string> => {
    const home = path.join(folder, 'home');
    const asked = { agent: 'codex', folder, ...request };
    const planned = await planContinuation(origin(), asked, loadMask, {}, home);
    await planned.write(path.join(folder, 'store'));
    const [file] = planned.files;
    assert.ok(planned.report.lines.some(({ why }) => why === 'secretsMasked'));
    return readFile(file?.path ?? '', 'utf8');
  };

  test('all of a conversation, with its calls and results', async () => {
    const text = await written({});
    holdsNone(text);
    assert.match(text, /\[REDACTED:[\w-]+#\d+\]/);
    assert.ok(text.includes('Step 11') && text.includes('deploy --note'));
  });

  test('its end, after a summary of the rest', async () => {
    const text = await written({ only: 'tail', tokens: 3000 });
    holdsNone(text);
    assert.ok(text.includes('Step 11') && text.includes('deploy --note'));
  });

  test('a chat of VS Code', async () => {
    const asked = { agent: 'vscode-chat', folder };
    const { chat = '' } = await planContinuation(origin(), asked, loadMask);
    holdsNone(chat);
    assert.ok(chat.includes('Step 11'));
  });

  test('pictures stay as they are, whatever their letters look like', async () => {
    const { thread } = origin();
    const picture = { kind: 'image', mediaType: 'image/png', bytes: 1, data: token ?? '' } as const;
    const [first] = thread.turns;
    assert.ok(first);
    const shown = { ...thread, turns: [{ ...first, parts: [...first.parts, picture] }] };
    const { thread: masked } = maskedThread(shown, await loadMask());
    const [turn] = masked.turns;
    assert.ok(turn);
    assert.deepEqual(turn.parts.at(-1), picture);
    holdsNone(JSON.stringify(turn.parts.slice(0, -1)));
  });

  test('text for the clipboard', async () => {
    const mask = await loadMask();
    const text = mask(said());
    holdsNone(text);
    assert.ok(text.includes(`${folder}/src/a.ts`));
    assert.equal(mask(text), text);
  });

  test('a rule that cannot be used stops it, since nothing would be found by it', async () => {
    const rules = [{ name: 'broken', pattern: '(' }];
    await assert.rejects(
      createHandoffMask({ settings: { ...settings, rules }, folders: [] }),
      (error) => isExpected(error) && error.reason === 'badRule',
    );
  });
});
