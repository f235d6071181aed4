import { headRecords } from '../fileHead.js';
import { isString } from '../json.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { readStateFile } from '../stateFile.js';
import { continueMemory, findThreads, sessionFolders } from './find.js';
import { continueParser } from './parse.js';

const agent = 'continue';

/** Continue: its extensions, and `cn`. */
export function createContinue(memory = continueMemory()): Source {
  return {
    agent,
    name: 'Continue',
    find: (query) => findThreads(query, memory),
    read: ({ path }, cursor, signal) => readStateFile('history', path, cursor, signal),
    parser: continueParser(agent),
    recognises: isSession,
    watch: sessionFolders,
    // There is no way to go on with a session of an id but in a copy of it.
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['cn', '--fork', nativeId] : undefined),
  };
}

export const continueDev = createContinue();

function isSession(head: string): boolean {
  return headRecords(head).some((record) => {
    const hasItems = Array.isArray(record['history']);
    if (!isString(record['sessionId'])) return hasItems && /"contextItems"\s*:/.test(head);
    return hasItems || isString(record['workspaceDirectory']);
  });
}
