import { sourceConforms } from '../conformance.js';
import { createCline } from './source.js';

const id = '1767600000000';
const tasks = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks';

const surroundings = (cwd: string) => ({
  type: 'text',
  text: `<environment_details>\n# Current Working Directory (${cwd}) Files\nsrc/cart.ts\n</environment_details>`,
});
const said = (text: string) => ({ type: 'text', text });

const modelLog = (cwd: string) =>
  [
    {
      role: 'user',
      content: [said('<task>\none 你好\n</task>'), surroundings(cwd)],
      ts: 1767600000000,
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        said('looking'),
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'src/cart.ts' } },
      ],
      modelInfo: { modelId: 'claude-sonnet-4-5', providerId: 'anthropic', mode: 'act' },
      ts: 1767600001000,
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'export const total = 1;' },
        surroundings(cwd),
      ],
      ts: 1767600002000,
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'c2', name: 'attempt_completion', input: { result: 'done' } },
      ],
      ts: 1767600003000,
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c2', content: [said('<feedback>\ntwo\n</feedback>')] },
        surroundings(cwd),
      ],
      ts: 1767600004000,
    },
    { role: 'assistant', content: [said('done again')], ts: 1767600005000 },
  ].map((record) => JSON.stringify(record));

sourceConforms('Cline', {
  create: createCline,
  id,
  path: () => `${tasks}/${id}/api_conversation_history.json`,
  lines: modelLog,
  whole: { list: '' },
  noRecordIds: true,
});

const shownLog = (cwd: string) =>
  [
    { ts: 1767600000000, type: 'say', say: 'task', text: 'one 你好' },
    {
      ts: 1767600000100,
      type: 'say',
      say: 'api_req_started',
      text: JSON.stringify({
        request: `<task>one</task>\n# Current Working Directory (${cwd}) Files\nx`,
      }),
    },
    { ts: 1767600001000, type: 'say', say: 'reasoning', text: 'hm' },
    { ts: 1767600001100, type: 'say', say: 'text', text: 'looking' },
    {
      ts: 1767600001200,
      type: 'say',
      say: 'tool',
      text: '{"tool":"readFile","path":"src/cart.ts"}',
    },
    { ts: 1767600002000, type: 'say', say: 'completion_result', text: 'done' },
    { ts: 1767600002100, type: 'ask', ask: 'completion_result', text: '' },
    { ts: 1767600003000, type: 'say', say: 'user_feedback', text: 'two' },
    { ts: 1767600004000, type: 'say', say: 'text', text: 'done again' },
  ].map((record) => JSON.stringify(record));

sourceConforms('Cline, where only what was shown is left', {
  create: createCline,
  id,
  path: () => `${tasks}/${id}/ui_messages.json`,
  lines: shownLog,
  whole: { list: '' },
  noCallIds: true,
  linesDepend: true,
});

const session = '1767600000000_abcde';

sourceConforms('Cline, on the command line', {
  create: createCline,
  id: session,
  path: () => `.cline/data/sessions/${session}/${session}.messages.json`,
  beside: (cwd) => ({
    [`.cline/data/sessions/${session}/${session}.json`]: JSON.stringify({ cwd }),
  }),
  lines: () => [
    ...[
      { role: 'user', content: [said('one')] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'run_commands', input: {} }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: [said('done')] },
    ].map((record) => JSON.stringify(record)),
    JSON.stringify({
      version: 1,
      updated_at: '2026-01-05T09:00:00.000Z',
      agent: 'lead',
      sessionId: session,
    }),
  ],
  whole: { list: 'messages' },
  noRecordIds: true,
});
