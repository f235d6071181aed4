import assert from 'node:assert/strict';
import { isExpected } from '../../src/core/errors.js';
import type { SearchHit } from '../../src/core/search/types.js';
import { hitItem, remarks } from '../../src/extension/commands/searchItems.js';
import { Command } from '../../src/extension/ids.js';
import { call } from './keepthread.js';
import { clearWindow, inFront } from './windowState.js';

suite('searching', () => {
  suiteSetup(async () => {
    await clearWindow();
    await call(Command.refresh);
  });
  suiteTeardown(clearWindow);

  const lines = async (query: string): Promise<readonly string[]> =>
    (await call(Command.search, { query })).map(({ kind, snippet }) => `${kind}: ${snippet.text}`);

  test('words, parts of identifiers, phrases and filters find the conversation', async () => {
    assert.match((await lines('overdue upcoming role:user'))[0] ?? '', /^prompt: .*due=overdue/);
    assert.match((await lines('todos tool:edit file:src/todos.js')).join('\n'), /^toolInput: /m);
    assert.match(
      (await lines('"clear message"'))[0] ?? '',
      /^prompt: Yes, 400 with a clear message/,
    );
    assert.deepEqual(await lines('"message clear"'), []);
    assert.deepEqual(await lines('overdue agent:aider'), []);
  });

  test('a hit opens the conversation at its place', async () => {
    const [hit] = await call(Command.search, { query: '"clear message" role:user' });
    assert.ok(hit?.threadId);
    await call(Command.openThread, { threadId: hit.threadId, place: hit.place });
    const { document, selection } = await inFront('keepthread-thread');
    assert.match(document.lineAt(selection.active.line).text, /^> Yes, 400 with a clear message/);
  });

  test('a query that means nothing is answered in words', async () => {
    await assert.rejects(
      Promise.resolve(call(Command.search, { query: 'after:soon' })),
      /“soon” is no date/,
    );
    await assert.rejects(
      Promise.resolve(call(Command.search, { query: 7 } as unknown as { query: string })),
      (error) => isExpected(error, 'badArguments') || /arguments/.test(String(error)),
    );
  });

  test('hostile text stays text in the list', () => {
    const hit: SearchHit = {
      kind: 'toolResult',
      tool: '$(trash) rm',
      title: 'a\u202eb $(sync~spin)\nc',
      sessionIds: [],
      agent: 'claude-code',
      snippet: { text: '$(error) **bold** \u001b[31mred', matches: [] },
    };
    const { label, detail } = hitItem(hit, 0);
    assert.equal(label, '\\$(error) **bold** red');
    assert.equal(detail, 'Claude Code · Result of \\$(trash) rm · ab \\$(sync~spin) c');
  });

  test('what was not searched is said', () => {
    const result = {
      ...{ hits: [], more: true, complete: true, advice: [], problems: [], superseded: false },
      pending: { threads: 3, bytes: 1 },
    };
    assert.deepEqual(
      remarks(result).map(({ label }) => label),
      ['Nothing found', 'There is more: type more words', '3 conversations are still being read'],
    );
    // While a filter is being typed, nothing was looked for.
    assert.deepEqual(
      remarks({ ...result, more: false, pending: { threads: 0, bytes: 0 } }, true),
      [],
    );
  });
});
