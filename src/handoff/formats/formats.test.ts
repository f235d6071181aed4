import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Part, Thread, Turn } from '../../core/model/thread.js';
import { atif } from './atif.js';
import { html } from './html.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import { otel } from './otel.js';
import type { ReadableFormat, ReadableSession } from './readable.js';

const at = Date.UTC(2026, 10, 30, 9);

const threadOf = (turns: readonly Turn[], more: Partial<Thread> = {}): Thread => ({
  agent: 'claude-code',
  nativeId: 'n1',
  title: 'A thread',
  turns,
  todos: [],
  skipped: [],
  counts: {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 1,
    toolResultsMatched: 1,
    toolResultsOrphan: 0,
    thinkingBlocks: 0,
    models: ['claude-x'],
    malformed: 0,
  },
  ...more,
});

async function* from(threads: readonly Thread[]): AsyncGenerator<Thread> {
  for (const thread of threads) yield await Promise.resolve(thread);
}

async function write(
  format: ReadableFormat,
  threads: readonly Thread[],
  session: Partial<ReadableSession['session']> = {},
): Promise<string> {
  let text = '';
  const readable: ReadableSession = {
    session: {
      id: 's1',
      title: 'A session',
      goal: '',
      status: 'active',
      tags: [],
      createdAt: at,
      updatedAt: at,
      ...session,
    },
    snapshots: [{ id: 'p1', at, reason: 'manual', label: session.goal, branch: session.goal }],
    threads: from(threads),
    author: session.goal,
    tool: { name: 'keepthread', version: '1' },
    createdAt: at,
    redaction: () => ({
      lane: 'share',
      masked: [],
      kept: [],
      homes: 0,
      sealed: 0,
      images: 0,
      shortened: 0,
      leftOut: [],
    }),
  };
  for await (const piece of format(readable)) text += piece;
  return text;
}

const everyPart = (text: string): readonly Part[] => [
  { kind: 'text', text },
  { kind: 'thinking', text },
  {
    kind: 'toolCall',
    id: text,
    name: text,
    input: { [text]: text },
    result: { text, isError: true },
  },
  { kind: 'image', mediaType: text, bytes: 1, name: text, data: text },
  { kind: 'attachment', name: text, uri: text },
  { kind: 'notice', notice: 'error', text },
];
const everywhere = (text: string): readonly Thread[] => [
  threadOf(
    [
      { id: '1', role: 'user', at, parts: everyPart(text) },
      { id: '2', role: 'assistant', at, model: text, parts: everyPart(text) },
    ],
    { title: text, cwd: text, branch: text, version: text },
  ),
];

/** 500 ways to get a page to run or fetch something: what is run, in what, behind what. */
function payloads(): readonly string[] {
  const runs = [
    'alert(1)',
    'fetch("//x.invalid")',
    'location="//x.invalid"',
    'import("//x.invalid")',
    '`${alert`1`}`',
  ];
  const carriers: readonly ((run: string) => string)[] = [
    (run) => `<script>${run}</script>`,
    (run) => `<img src=x onerror=${run}>`,
    (run) => `<svg/onload=${run}>`,
    (run) => `<a href="javascript:${run}">x</a>`,
    (run) => `[x](javascript:${run})`,
    (run) => `![x](https://x.invalid/?${run})`,
    (run) => `<iframe srcdoc="<script>${run}</script>"></iframe>`,
    (run) => `<style>@import '//x.invalid/${run}'</style>`,
    (run) => `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
    (run) => `<base href="//x.invalid/"><form action="javascript:${run}"><button>`,
    (run) => `<details open ontoggle=${run}>`,
    (run) =>
      `<math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${run} src>">`,
    (run) => `<object data="data:text/html,<script>${run}</script>">`,
    (run) => `<video><source onerror=${run}></video>`,
    (run) => `<link rel=stylesheet href="//x.invalid/${run}">`,
    (run) => `image/svg+xml" onload="${run}`,
    (run) => `[x][y]\n\n[y]: javascript:${run}`,
    (run) => `<x style="background:url(//x.invalid/${run})">`,
    (run) => `<!--><img src=x onerror=${run}>-->`,
    (run) => `command:workbench.action.terminal.sendSequence?${run}`,
  ];
  const openers = ['', '"', "'", '-->', '</style></head><body>'];
  return openers.flatMap((open) =>
    carriers.flatMap((carry) => runs.map((run) => open + carry(run))),
  );
}

suite('a session to be read elsewhere', () => {
  test('as a page runs and fetches nothing, whatever stands in it', async () => {
    const all = payloads();
    assert.equal(all.length, 500);
    const own = await write(html, everywhere('plain'), {
      title: 'plain',
      goal: 'plain',
      tags: ['plain'],
    });
    const tags = (page: string): readonly string[] =>
      (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/content="default-src[^"]*"/, ''));
    for (const payload of all) {
      const page = await write(html, everywhere(payload), {
        title: payload,
        goal: payload,
        tags: [payload],
      });
      // Every tag is one of ours: nothing of the text became one, and none got an attribute.
      assert.deepEqual(tags(page), tags(own), payload);
    }
    assert.match(own, /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    assert.doesNotMatch(own, /<script|<a |href=|https?:/);
  });

  test('as a page shows the images that browsers only show', async () => {
    const image = (mediaType: string): Promise<string> => {
      const part: Part = { kind: 'image', mediaType, bytes: 3, data: 'AAAA' };
      return write(html, [threadOf([{ id: '1', role: 'user', parts: [part] }])]);
    };
    assert.match(await image('image/png'), /<img alt="Image" src="data:image\/png;base64,AAAA">/);
    assert.doesNotMatch(await image('image/svg+xml'), /<img/);
  });

  test('as Markdown holds no HTML and no link, and cuts no text', async () => {
    const long = 'word '.repeat(200_000);
    const turn: Turn = { id: '1', role: 'assistant', parts: [{ kind: 'text', text: long }] };
    assert.ok((await write(markdown, [threadOf([turn])])).includes(long.trim()));
    for (const payload of payloads().slice(0, 100)) {
      const text = await write(markdown, everywhere(payload), { title: payload, goal: payload });
      const outside = text
        .replace(/^(`{3,}|~{3,}).*$[^]*?^\1$/gm, '')
        .replace(/(`+)[^`][^]*?\1/g, '');
      assert.doesNotMatch(outside, /(?<!\\)<(?:script|img|svg|iframe|a )/i, payload);
      assert.doesNotMatch(outside, /(?<!\\)\[[^\]\n]*(?<!\\)\]\((?:javascript|https?):/i, payload);
    }
  });

  test('as JSON gives the turns as they are', async () => {
    const [thread] = everywhere('ü "quoted"\n');
    const document = z
      .object({ version: z.literal(1), threads: z.array(z.unknown()) })
      .parse(JSON.parse(await write(json, everywhere('ü "quoted"\n'))));
    assert.deepEqual(document.threads, [JSON.parse(JSON.stringify(thread))]);
    assert.deepEqual(
      z.object({ threads: z.array(z.unknown()) }).parse(JSON.parse(await write(json, []))).threads,
      [],
    );
  });

  test('as a trajectory has calls with their results, an object for one and a list for more', async () => {
    const turns: readonly Turn[] = [
      { id: '1', role: 'user', at, parts: [{ kind: 'text', text: 'Go' }] },
      {
        id: '2',
        role: 'assistant',
        at,
        model: 'm',
        tokens: { input: 1, output: 2, cacheRead: 3 },
        parts: [
          { kind: 'thinking', text: 'Hm' },
          {
            kind: 'toolCall',
            id: 'c',
            name: 'ls',
            input: 'x',
            result: { text: 'a b', isError: false },
          },
        ],
      },
    ];
    const one = JSON.parse(await write(atif, [threadOf(turns)])) as object;
    assert.deepEqual(one, {
      schema_version: 'ATIF-v1.4',
      session_id: 'n1',
      agent: { name: 'claude-code', version: 'unknown', model_name: 'claude-x' },
      steps: [
        { step_id: 1, timestamp: '2026-11-30T09:00:00.000Z', source: 'user', message: 'Go' },
        {
          step_id: 2,
          timestamp: '2026-11-30T09:00:00.000Z',
          source: 'agent',
          message: '',
          model_name: 'm',
          reasoning_content: 'Hm',
          tool_calls: [{ tool_call_id: 'c', function_name: 'ls', arguments: { input: 'x' } }],
          observation: { results: [{ source_call_id: 'c', content: 'a b' }] },
          metrics: { prompt_tokens: 4, completion_tokens: 2, cached_tokens: 3 },
        },
      ],
      final_metrics: {
        total_prompt_tokens: 4,
        total_completion_tokens: 2,
        total_cached_tokens: 3,
        total_steps: 2,
      },
      extra: { title: 'A thread' },
    });
    const list: unknown = JSON.parse(
      await write(atif, [threadOf(turns), threadOf([]), threadOf([])]),
    );
    assert.equal(Array.isArray(list) && list.length, 3);
    assert.deepEqual(JSON.parse(await write(atif, [])), []);
  });

  test('as spans hangs calls below answers, and answers below the conversation', async () => {
    const span = z.object({
      spanId: z.string().regex(/^[0-9a-f]{16}$/),
      traceId: z.string().regex(/^[0-9a-f]{32}$/),
      parentSpanId: z.string().optional(),
      name: z.string(),
      startTimeUnixNano: z.string().regex(/^\d+$/),
    });
    const document = z
      .object({
        resourceSpans: z.array(
          z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
        ),
      })
      .parse(JSON.parse(await write(otel, everywhere('x'))));
    const spans = document.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['invoke_agent claude-code', 'chat x', 'execute_tool x'],
    );
    const [agent, chat, tool] = spans;
    assert.deepEqual(
      [agent?.parentSpanId, chat?.parentSpanId, tool?.parentSpanId],
      [undefined, agent?.spanId, chat?.spanId],
    );
    assert.equal(agent?.startTimeUnixNano, `${at}000000`);
  });
});
