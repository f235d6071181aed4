import assert from 'node:assert/strict';
import { z } from 'zod';
import { exportPayloads } from '../../../test/pagePayloads.js';
import type { Part, Thread, Turn } from '../../core/model/thread.js';
import { atif } from './atif.js';
import { html } from './html.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import { otel } from './otel.js';
import type { ReadableFormat, ReadableSession } from './readable.js';
import { at, everywhere, readableOf, threadOf } from './testThreads.js';

async function write(
  format: ReadableFormat,
  threads: readonly Thread[],
  session: Partial<ReadableSession['session']> = {},
): Promise<string> {
  let text = '';
  for await (const piece of format(readableOf(threads, session))) text += piece;
  return text;
}

suite('a session to be read elsewhere', () => {
  test('as a page runs and fetches nothing, whatever stands in it', async () => {
    const all = exportPayloads;
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
    for (const payload of exportPayloads.slice(0, 100)) {
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
