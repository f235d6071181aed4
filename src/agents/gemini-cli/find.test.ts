import assert from 'node:assert/strict';
import { readThread } from '../copies.js';
import { ids, storeHome } from '../../../test/agents/storeHome.js';
import { utimes, writeFile } from 'node:fs/promises';
import {
  contextText,
  gemini,
  linesOf,
  metadata,
  set,
  user,
} from '../../../test/agents/geminiRecords.js';
import { inspectFile } from '../inspect.js';
import { hashOf } from './projects.js';
import { createGeminiCli } from './source.js';

const id = (at: number) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
const log = (at: number, cwd = '/somewhere') =>
  `${linesOf(
    metadata({ sessionId: id(at) }),
    set({ messages: [user('m0', contextText(cwd))] }),
    user('m1', 'go'),
    gemini('m2', 'done'),
  ).join('\n')}\n`;
const object = (at: number, cwd = '/somewhere') => {
  const messages = [user('m0', contextText(cwd)), user('m1', 'go'), gemini('m2', 'done')];
  return JSON.stringify({ ...metadata({ sessionId: id(at) }), messages }, undefined, 2);
};
const nameOf = (at: number, end = 'jsonl') =>
  `session-2026-01-05T09-00-${id(at).slice(0, 8)}.${end}`;

suite('finding Gemini CLI’s threads', () => {
  const { at, put, source, find } = storeHome(createGeminiCli);

  test('the project of a session: by marker, by registry, by hash, by what it told the model', async () => {
    await put(`.gemini/tmp/marked/.project_root`, '/w/app\n');
    await put(`.gemini/tmp/marked/chats/${nameOf(1)}`, log(1));
    await put('.gemini/projects.json', JSON.stringify({ projects: { '/w/app/inner': 'listed' } }));
    await put(`.gemini/tmp/listed/chats/${nameOf(2)}`, log(2));
    await put(`.gemini/tmp/${hashOf('/w/app')}/chats/${nameOf(3)}`, log(3));
    await put(`.gemini/tmp/${hashOf('/w/app/gone')}/chats/${nameOf(4)}`, log(4, '/w/app/gone'));
    await put(`.gemini/tmp/${hashOf('/w/apple')}/chats/${nameOf(5)}`, log(5, '/w/apple'));
    await put(`.gemini/tmp/other/.project_root`, '/w/other');
    await put(`.gemini/tmp/other/chats/${nameOf(6)}`, log(6, '/w/app'));
    const found = await find(['/w/app']);
    assert.deepEqual(ids(found), [id(1), id(2), id(3), id(4)]);
    assert.deepEqual(found.threads.map(({ cwd }) => cwd).sort(), [
      '/w/app',
      '/w/app',
      '/w/app/gone',
      '/w/app/inner',
    ]);
    assert.deepEqual(found.problems, []);
  });

  test('homes: the usual one, the one in the environment instead of it, and those that are given', async () => {
    for (const [at, base] of ['.gemini', 'other/.gemini', 'third'].entries()) {
      await put(`${base}/tmp/app/.project_root`, '/w/app');
      await put(`${base}/tmp/app/chats/${nameOf(at)}`, log(at));
    }
    assert.deepEqual(ids(await find(['/w/app'])), [id(0)]);
    const env = { GEMINI_CLI_HOME: at('other') };
    assert.deepEqual(ids(await find(['/w/app'], { env })), [id(1)]);
    assert.deepEqual(ids(await find(['/w/app'], { homes: [at('third')] })), [id(0), id(2)]);
  });

  test('subagents have the session that started them as parent, and are not resumed', async () => {
    await put('.gemini/tmp/app/.project_root', '/w/app');
    await put(`.gemini/tmp/app/chats/${nameOf(1)}`, log(1));
    await put(`.gemini/tmp/app/chats/${id(1)}/${id(2)}.jsonl`, log(2));
    const { threads } = await find(['/w/app']);
    const parents = Object.fromEntries(threads.map(({ nativeId, parent }) => [nativeId, parent]));
    assert.deepEqual(parents, { [id(1)]: undefined, [id(2)]: id(1) });
    const argvs = threads.map((thread) => source().resume?.(thread)).filter(Boolean);
    assert.deepEqual(argvs, [['gemini', '--resume', id(1)]]);
  });

  test('a session of the old form is read; once resumed, with its copy as one', async () => {
    await put('.gemini/tmp/app/.project_root', '/w/app');
    const old = await put(`.gemini/tmp/app/chats/${nameOf(1, 'json')}`, object(1));
    const [before] = (await find(['/w/app'])).threads;
    assert.deepEqual([before?.nativeId, before?.path], [id(1), old]);
    const read = await source().read(before ?? assert.fail(), undefined);
    assert.equal(read.records.length, 4);
    await put(`.gemini/tmp/app/chats/${nameOf(1)}`, log(1));
    const [after] = (await find(['/w/app'])).threads;
    assert.ok(after);
    const { path, copies = [] } = after;
    assert.deepEqual([path, ...copies.map((copy) => copy.path)].sort(), [old, `${old}l`]);
    const again = await readThread(source(), after, read.cursor);
    const parser = source().parser(id(1));
    for (const record of [...read.records.slice(0, again.restarted?.reused), ...again.records]) {
      parser.push(record);
    }
    const alone = source().parser(id(1));
    for (const record of read.records) alone.push(record);
    assert.equal(parser.thread().counts.userTurns, alone.thread().counts.userTurns);
  });

  test('a rewritten file of the old form gives what changed', async () => {
    const path = await put('a.json', object(1));
    const found = { nativeId: id(1), path, bytes: 0, modifiedAt: 0 };
    const first = await source().read(found, undefined);
    const messages = [user('m0', contextText('/x')), user('m1', 'go'), gemini('m2', 'done')];
    const more = [...messages.slice(0, 2), gemini('m2', 'done differently'), user('m3', 'more')];
    await put('a.json', JSON.stringify({ ...metadata(), messages: more }));
    const second = await source().read(found, first.cursor);
    assert.equal(second.records.length, second.cursor.records - (second.restarted?.reused ?? 0));
    const parser = source().parser(id(1));
    const kept = [...first.records.slice(0, second.restarted?.reused), ...second.records];
    for (const record of kept) parser.push(record);
    assert.deepEqual([parser.thread().counts.userTurns, parser.thread().turns.length], [2, 3]);
  });

  test('either form is counted the same', async () => {
    const [lines, whole] = [await put('a.jsonl', log(1)), await put('b.json', object(1))];
    assert.deepEqual(await inspectFile(lines), await inspectFile(whole));
    const compact = await put('c.json', JSON.stringify(JSON.parse(object(1))));
    assert.deepEqual(await inspectFile(compact), await inspectFile(whole));
  });

  test('what a resumed session leaves behind is no thread: the context under the same id', async () => {
    await put('.gemini/tmp/app/.project_root', '/w/app');
    const path = await put(`.gemini/tmp/app/chats/${nameOf(1)}`, log(1));
    const context = set({ messages: [user('m0', contextText('/w/app'))] });
    const rest = linesOf(metadata({ sessionId: id(1) }), context);
    const later = nameOf(1).replace('09-00', '09-01');
    await put(`.gemini/tmp/app/chats/${later}`, `${rest.join('\n')}\n`);
    const { threads, problems, filesLookedAt } = await find(['/w/app']);
    assert.deepEqual(
      threads.map((thread) => thread.path),
      [path],
    );
    assert.deepEqual([problems, filesLookedAt], [[], 2]);
  });

  test('what is not a session is left alone, and saved chats are told', async () => {
    await put('.gemini/tmp/app/.project_root', '/w/app');
    await put('.gemini/tmp/app/logs.json', '[]');
    await put('.gemini/tmp/app/checkpoint-x.json', '[]');
    await put(`.gemini/tmp/app/chats/${nameOf(1)}.tmp-1`, log(1));
    await put(`.gemini/tmp/app/chats/${nameOf(1)}.unreadable-1`, log(1));
    const { threads, filesLookedAt, problems } = await find(['/w/app']);
    assert.deepEqual([threads, filesLookedAt, problems.length], [[], 0, 1]);
    assert.match(problems[0]?.message ?? '', /^1 saved chat is not listed/);
  });

  test('a broken first line: the session is called by its file', async () => {
    await put('.gemini/tmp/app/.project_root', '/w/app');
    await put(
      `.gemini/tmp/app/chats/${nameOf(1)}`,
      `{"sessionId":"x\n${log(1).split('\n').slice(1).join('\n')}`,
    );
    assert.deepEqual(ids(await find(['/w/app'])), [nameOf(1).replace('.jsonl', '')]);
  });

  test('a marker that changed is read again, one that did not is not', async () => {
    const marker = await put('.gemini/tmp/app/.project_root', '/w/one');
    await put(`.gemini/tmp/app/chats/${nameOf(1)}`, log(1));
    await utimes(marker, 1000, 1000);
    assert.deepEqual(ids(await find(['/w/one'])), [id(1)]);
    await writeFile(marker, '/w/two');
    await utimes(marker, 1000, 1000);
    assert.deepEqual(ids(await find(['/w/one'])), [id(1)]);
    await utimes(marker, 2000, 2000);
    assert.deepEqual(ids(await find(['/w/one'])), []);
  });
});
