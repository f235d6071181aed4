import assert from 'node:assert/strict';
import { sourceConforms } from '../conformance.js';
import { createKiro } from './source.js';

const id = '6a1f8b63-7b1f-4c9f-8b75-1a2b3c4d5e6f';
const store = '.config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions';

const item = (message: object, more: object = {}) => ({ message, contextItems: [], ...more });

const lines = (rest: object) =>
  [
    item({ role: 'user', content: [{ type: 'text', text: 'one 你好' }] }),
    item(
      {
        role: 'assistant',
        content: 'looking',
        toolCalls: [{ id: 'c1', function: { name: 'readFile', arguments: '{}' } }],
      },
      { toolCallStates: [{ toolCallId: 'c1', status: 'done', output: [] }] },
    ),
    item({ role: 'user', content: 'two' }),
    item({ role: 'assistant', content: 'done' }),
    rest,
  ].map((record) => JSON.stringify(record));

/** What holds for every source but that a file alone is not known as Kiro's. */
const createKnown = () => {
  const source = createKiro();
  assert.ok(!('recognises' in source));
  return { ...source, recognises: () => true };
};

sourceConforms('Kiro', {
  create: createKnown,
  id,
  path: (cwd) => `${store}/${Buffer.from(cwd).toString('base64')}/${id}.json`,
  beside: (cwd) => ({ [`${store}/${Buffer.from(cwd).toString('base64')}/sessions.json`]: '[]' }),
  lines: (cwd) => lines({ sessionId: id, title: 'One', workspaceDirectory: cwd }),
  whole: { list: 'history' },
  noRecordIds: true,
});

sourceConforms('Kiro, where only its folder is called by the working folder', {
  create: createKnown,
  id,
  path: (cwd) => `${store}/${Buffer.from(cwd).toString('base64').replace(/=/g, '_')}/${id}.json`,
  lines: () => lines({ sessionId: id, title: 'One' }),
  whole: { list: 'history' },
  noRecordIds: true,
});
