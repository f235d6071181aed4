import { headRecords } from '../fileHead.js';
import { isFields, isString, textOf, type Fields } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { copilotMemory, findThreads, sessionFolders } from './find.js';
import { agent, copilotParser } from './parse.js';

/** GitHub's Copilot CLI. */
export function createCopilotCli(memory = copilotMemory()): Source {
  return {
    agent,
    name: 'Copilot CLI',
    find: (query) => findThreads(query, memory),
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    merging: { idOf: ({ id }) => textOf(id) },
    parser: copilotParser,
    recognises: (head) => headRecords(head).some(isEvent),
    watch: sessionFolders,
    attachments: sessionFolders,
    resume: ({ nativeId }) =>
      isSessionId(nativeId) ? ['copilot', `--resume=${nativeId}`] : undefined,
  };
}

export const copilotCli = createCopilotCli();

const kinds = /^(?:session|user|assistant|system|tool|subagent|hook)\.\w+$|^abort$/;

const isEvent = (record: Fields): boolean =>
  isString(record['type']) &&
  kinds.test(record['type']) &&
  isFields(record['data']) &&
  isString(record['timestamp']);
