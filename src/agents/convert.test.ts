import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readThread } from '../../test/agents/readThread.js';
import type { Part, Thread } from '../core/model/thread.js';
import { convertThread } from './convert.js';
import { whyDifferent } from './readBack.js';
import { sourceOf } from './registry.js';
import { targets } from './targets.js';
import { readBack } from './readBack.js';
import { writeNew } from './writeNew.js';

const fixtures = fileURLToPath(new URL('../../test/fixtures', import.meta.url));

/** Pieces of work that the real programs wrote. */
const kept = [
  ['claude-code', 'claude-2.1.332-work.jsonl'],
  ['claude-code', 'claude-2.1.197-work.jsonl'],
  ['codex', 'codex-0.171.0-work.jsonl'],
  ['gemini-cli', 'gemini-0.61.0-work.jsonl'],
  ['qwen-code', 'qwen-0.15.10-work.jsonl'],
  ['pi', 'pi-0.73.1-work.jsonl'],
  ['copilot-cli', 'small.jsonl'],
  ['continue', 'small.json'],
  ['vscode-chat', 'vscode-1.139.1.jsonl'],
] as const;

/** Prompts, answers, calls and results, without what each agent calls its tools. */
const said = ({ turns }: Thread): readonly string[] =>
  turns
    .filter(({ role }) => role !== 'system')
    .flatMap(({ role, parts }) => parts.flatMap((part) => wordOf(role, part)));

const named = /^\[(?:Attached|Image): .*\]$|^\(Summary of the conversation[^]*/gm;

function wordOf(role: string, part: Part): readonly string[] {
  // What a person attached is named in the prompt, a summary may be one.
  if (part.kind === 'text') {
    const text = part.text.replace(named, '').trim();
    return text === '' ? [] : [`${role}: ${text}`];
  }
  if (part.kind === 'toolCall') {
    return [`call => ${part.result?.text.replace('The tool failed.\n', '').trim() ?? 'nothing'}`];
  }
  return [];
}

/** Where calls are told in words, every text and every result stands in the answers. Only space may be another. */
function assertToldInOrder(told: readonly string[], all: readonly string[]): void {
  const bare = (text: string): string => text.replace(/\s+/g, '');
  const whole = told.map(bare).join('');
  let from = 0;
  for (const one of all) {
    const text = bare(one.replace(/^(?:user: |assistant: |call => )/, ''));
    const at = whole.indexOf(text, from);
    assert.ok(at >= 0, `${one} is missing in ${told.join('\n')}`);
    from = at + text.length;
  }
}

suite('a conversation in another agent', () => {
  let home: string;
  setup(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'convert-')));
  });
  teardown(() => rm(home, { recursive: true }));

  for (const [agent, file] of kept) {
    // Targets that only the agent's own command writes are proven with the real programs.
    for (const target of targets.filter((one) => one.importer === undefined)) {
      test(`${agent} (${file}) to ${target.agent}: is read back whole and in order`, async () => {
        const source = sourceOf(agent) ?? assert.fail();
        const path = join(fixtures, agent, file);
        const nativeId = '0f1e2d3c-4b5a-4687-8796-a5b4c3d2e1f0';
        const found = { nativeId, path, bytes: 0, modifiedAt: 0 };
        const thread = (await readThread(source, found)).thread();
        const place = { cwd: join(home, 'wörk 项目'), env: {}, userHome: home };
        const converted = await convertThread({ thread }, target, place);
        const written = await writeNew(join(home, 'store'), converted, `${agent}:${nativeId}`);
        const own = sourceOf(target.agent) ?? assert.fail();
        await readBack(own, converted);
        const { threads } = await own.find({
          folders: [converted.cwd],
          homes: [],
          env: {},
          userHome: home,
        });
        const [back] = threads;
        assert.equal(back?.nativeId, converted.nativeId);
        const parser = await readThread(own, back);
        if (target.takes.calls === false) assertToldInOrder(said(parser.thread()), said(thread));
        else assert.deepEqual(said(parser.thread()), said(thread));
        assert.equal(written.files.length, converted.files.length);
      });
    }
  }

  test('a difference is noticed: a call that is missing, a text that is missing', () => {
    const thread = { turns: [], skipped: [] } as unknown as Thread;
    const call = {
      id: 'a',
      name: 'x',
      input: {},
      result: { text: '', isError: false, images: [] },
    };
    const answer = { role: 'assistant', at: 0, model: undefined } as const;
    assert.match(
      whyDifferent(thread, [{ ...answer, content: [], calls: [call] }]) ?? '',
      /0 tool calls instead of 1/,
    );
    const content = [{ kind: 'text', text: 'hi' }] as const;
    assert.match(whyDifferent(thread, [{ ...answer, content, calls: [] }]) ?? '', /missing/);
  });
});
