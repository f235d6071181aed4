import { textOf } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { findThreads, piHeads, sessionFolders } from './find.js';
import { piParser } from './parse.js';
import { recognises } from './recognise.js';

/** Pi, Mario Zechner's coding agent. */
export function createPi(heads = piHeads()): Source {
  return {
    agent: 'pi',
    name: 'Pi',
    find: (query) => findThreads(query, heads),
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    merging: { idOf: ({ id }) => textOf(id) },
    parser: piParser,
    recognises,
    watch: sessionFolders,
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['pi', '--session', nativeId] : undefined),
  };
}

export const pi = createPi();
