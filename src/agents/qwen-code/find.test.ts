import assert from 'node:assert/strict';
import { ids, storeHome } from '../../../test/agents/storeHome.js';
import { gemini, linesOf, metadata, user } from '../../../test/agents/geminiRecords.js';
import { writing } from '../../../test/agents/qwenRecords.js';
import { dashed } from '../folders.js';
import { hashOf } from '../gemini-cli/projects.js';
import { createQwenCode } from './source.js';

const id = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const textOf = (cwd: string) => `${writing((to) => void to.user('go'), { cwd }).join('\n')}\n`;

suite('finding Qwen Code’s threads', () => {
  const { at, put, source, find } = storeHome(createQwenCode);

  test('sessions of the folder and of folders inside it, told apart by their records', async () => {
    await put(`.qwen/projects/${dashed('/w/app')}/chats/${id(1)}.jsonl`, textOf('/w/app'));
    await put(`.qwen/projects/${dashed('/w/app/sub')}/chats/${id(2)}.jsonl`, textOf('/w/app/sub'));
    await put(`.qwen/projects/${dashed('/w-app')}/chats/${id(3)}.jsonl`, textOf('/w-app'));
    await put(`.qwen/projects/${dashed('/w/apple')}/chats/${id(4)}.jsonl`, textOf('/w/apple'));
    await put(`.qwen/projects/${dashed('/w/app')}/meta.json`, '{}');
    const found = await find(['/w/app']);
    assert.deepEqual([ids(found), found.filesLookedAt], [[id(1), id(2)], 3]);
  });

  test('Windows lower-cases the name', async () => {
    await put(`.qwen/projects/c--users-x-app/chats/${id(1)}.jsonl`, textOf('C:\\Users\\x\\app'));
    assert.deepEqual(ids(await find(['C:\\Users\\x\\app'])), [id(1)]);
  });

  test('subagents, with their session as parent', async () => {
    const project = `.qwen/projects/${dashed('/w/app')}`;
    await put(`${project}/subagents/${id(1)}/agent-x.jsonl`, textOf('/w/app'));
    await put(`${project}/subagents/${id(1)}/agent-x.meta.json`, '{}');
    const { threads } = await find(['/w/app']);
    assert.deepEqual(
      threads.map(({ nativeId, parent }) => [nativeId, parent]),
      [['agent-x', id(1)]],
    );
  });

  test('homes: the runtime folder, else the home, else the usual one; and those that are given', async () => {
    const chats = `projects/${dashed('/w/app')}/chats`;
    for (const [at, base] of ['.qwen', 'home', 'runtime', 'third'].entries()) {
      await put(`${base}/${chats}/${id(at)}.jsonl`, textOf('/w/app'));
    }
    assert.deepEqual(ids(await find(['/w/app'])), [id(0)]);
    const QWEN_HOME = at('home');
    assert.deepEqual(ids(await find(['/w/app'], { env: { QWEN_HOME } })), [id(1)]);
    const env = { QWEN_HOME, QWEN_RUNTIME_DIR: '~/runtime' };
    assert.deepEqual(ids(await find(['/w/app'], { env })), [id(2)]);
    assert.deepEqual(ids(await find(['/w/app'], { homes: [at('third')] })), [id(0), id(3)]);
  });

  test('sessions of the first versions lie where Gemini CLI’s did', async () => {
    const messages = [user('m1', 'go'), { ...gemini('m2', 'done'), type: 'qwen' }];
    const text = JSON.stringify({ ...metadata({ sessionId: id(1) }), messages });
    await put(`.qwen/tmp/${hashOf('/w/app')}/chats/session-2025-10-01T09-00-00000000.json`, text);
    const found = await find(['/w/app']);
    assert.deepEqual(ids(found), [id(1)]);
    const { records } = await source().read(found.threads[0] ?? assert.fail(), undefined);
    assert.equal(records.length, 3);
    assert.equal(source().recognises?.(text), true);
    assert.equal(source().recognises?.(linesOf(metadata(), gemini('m2', 'x')).join('\n')), false);
  });

  test('a session with a damaged head is found by later records or by its folder’s name', async () => {
    const chats = `.qwen/projects/${dashed('/w/app')}/chats`;
    await put(`${chats}/${id(1)}.jsonl`, `{"uuid":"x\n\0\0\n${textOf('/w/app')}`);
    await put(`${chats}/${id(2)}.jsonl`, '{"uuid":"x');
    assert.deepEqual(ids(await find(['/w/app'])), [id(1), id(2)]);
  });
});
