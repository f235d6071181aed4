import assert from 'node:assert/strict';
import { ids, storeHome } from '../../../test/agents/storeHome.js';
import { writing } from '../../../test/agents/piRecords.js';
import { createPi } from './source.js';

const id = (at: number) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
const nameOf = (at: number) => `2026-01-05T09-00-00-000Z_${id(at)}.jsonl`;
const textOf = (cwd: string) =>
  `${writing((to) => {
    to.header(cwd);
    to.user('go');
  }).join('\n')}\n`;

suite('finding Pi’s threads', () => {
  const { at, put, find } = storeHome(createPi);

  test('sessions of the folder and of folders inside it, told apart by their first entry', async () => {
    await put(`.pi/agent/sessions/--w-app--/${nameOf(1)}`, textOf('/w/app'));
    await put(`.pi/agent/sessions/--w-app--/${nameOf(2)}`, textOf('/w-app'));
    await put(`.pi/agent/sessions/--w-app-sub--/${nameOf(3)}`, textOf('/w/app/sub'));
    await put(`.pi/agent/sessions/renamed/${nameOf(4)}`, textOf('/w/app'));
    await put('.pi/agent/sessions/--w-app--/notes.txt', 'x');
    const found = await find(['/w/app']);
    assert.deepEqual([ids(found), found.filesLookedAt], [[id(1), id(3), id(4)], 4]);
  });

  test('homes: the usual one, another instead of it, a folder of sessions apart, those that are given', async () => {
    await put(`.pi/agent/sessions/--w-app--/${nameOf(1)}`, textOf('/w/app'));
    await put(`other/sessions/--w-app--/${nameOf(2)}`, textOf('/w/app'));
    await put(`apart/${nameOf(3)}`, textOf('/w/app'));
    await put(`third/sessions/--w-app--/${nameOf(4)}`, textOf('/w/app'));
    assert.deepEqual(ids(await find(['/w/app'])), [id(1)]);
    const other = { PI_CODING_AGENT_DIR: at('other') };
    assert.deepEqual(ids(await find(['/w/app'], { env: other })), [id(2)]);
    const apart = { PI_CODING_AGENT_SESSION_DIR: '~/apart' };
    assert.deepEqual(ids(await find(['/w/app'], { env: apart })), [id(1), id(3)]);
    assert.deepEqual(ids(await find(['/w/app'], { homes: [at('third')] })), [id(1), id(4)]);
  });

  test('a broken first line: the session is found by its folder’s name and called by its own', async () => {
    const lines = textOf('/w/app').split('\n').slice(1).join('\n');
    await put(`.pi/agent/sessions/--w-app--/${nameOf(1)}`, `{"type":"sess\n${lines}`);
    assert.deepEqual(ids(await find(['/w/app'])), [id(1)]);
    assert.deepEqual(ids(await find(['/w/other'])), []);
  });
});
