import assert from 'node:assert/strict';
import { sourceConforms } from '../conformance.js';
import { createKiloCode } from './source.js';

const id = '6f2b0c1e-5d3a-4b7c-8e90-1a2b3c4d5e6f';
const task = `.config/Code/User/globalStorage/kilocode.kilo-code/tasks/${id}`;

const said = (text: string) => ({ type: 'text', text });
const surroundings = (cwd: string) =>
  said(
    `<environment_details>\n# Current Workspace Directory (${cwd}) Files\nsrc/cart.ts\n</environment_details>`,
  );

const log = (cwd: string) =>
  [
    { role: 'user', content: [said('<task>\none 你好\n</task>'), surroundings(cwd)], ts: 1 },
    {
      role: 'assistant',
      content: [
        said('looking'),
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'src/cart.ts' } },
      ],
      ts: 2,
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'export {};' },
        surroundings(cwd),
      ],
      ts: 3,
    },
    { role: 'assistant', content: [said('done')], ts: 4 },
    { role: 'user', content: [said('<feedback>\ntwo\n</feedback>'), surroundings(cwd)], ts: 5 },
    { role: 'assistant', content: [said('done again')], ts: 6 },
  ].map((record) => JSON.stringify(record));

sourceConforms('Kilo Code, tasks of the time when it was made from Roo Code', {
  create: () => {
    const source = createKiloCode();
    assert.equal(source.recognises?.(`[${log('/home/user/project').join()}]`), false);
    return { ...source, recognises: () => true };
  },
  id,
  path: () => `${task}/api_conversation_history.json`,
  lines: log,
  whole: { list: '' },
  noRecordIds: true,
});

suite('a thread of Kilo Code that only its records tell', () => {
  test('is read as a task or as a session, as its first record is', () => {
    const parser = createKiloCode().parser('');
    for (const line of log('/home/user/project')) parser.push(Buffer.from(line));
    assert.deepEqual([parser.thread().counts.userTurns, parser.working], [2, false]);
    assert.equal(createKiloCode().parser('').thread().counts.userTurns, 0);
  });
});
