import { headRecords } from '../fileHead.js';
import { isFields, isString, textOf, type Fields } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { droidHeads, findThreads, sessionFolders } from './find.js';
import { agent, droidParser } from './parse.js';

/** Factory's droid. */
export function createFactoryDroid(heads = droidHeads()): Source {
  return {
    agent,
    name: 'Factory Droid',
    find: (query) => findThreads(query, heads),
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    merging: { idOf: ({ id }) => textOf(id) },
    parser: droidParser,
    recognises: (head) => headRecords(head).some(isOwn),
    watch: sessionFolders,
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['droid', '--resume', nativeId] : undefined),
  };
}

export const factoryDroid = createFactoryDroid();

/** Pi chains its messages by short ids, with `parentId` in every one. */
const isOwn = (record: Fields): boolean =>
  record['type'] === 'session_start' ||
  record['type'] === 'compaction_state' ||
  (record['type'] === 'message' &&
    isString(record['id']) &&
    isSessionId(record['id']) &&
    isFields(record['message']));
