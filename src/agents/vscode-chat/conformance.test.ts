import { pathToFileURL } from 'node:url';
import { call, line, request, rounds, state } from '../../../test/agents/chatRecords.js';
import { sourceConforms } from '../conformance.js';
import { vscodeChat } from './source.js';

/** Of a server, which is the same on every platform. */
const storage = '.vscode-server/data/User/workspaceStorage/abc';

const lines = () => [
  line({ kind: 0, v: state([]) }),
  line({
    kind: 2,
    k: ['requests'],
    v: [request(1, { response: [], message: { text: 'one 你好' } })],
  }),
  line({
    kind: 2,
    k: ['requests', 0, 'response'],
    v: [{ value: 'looking' }, call('c1'), { value: 'done' }],
  }),
  line({ kind: 1, k: ['requests', 0, 'result'], v: rounds(['c1', 'read_file', {}, 'ok']) }),
  line({ kind: 2, k: ['requests'], v: [request(2)] }),
];

sourceConforms('VS Code Chat', {
  create: () => vscodeChat,
  id: 'chat-1',
  path: () => `${storage}/chatSessions/chat-1.jsonl`,
  beside: (cwd) => ({
    [`${storage}/workspace.json`]: JSON.stringify({ folder: pathToFileURL(cwd).href }),
  }),
  lines,
  linesDepend: true,
});
