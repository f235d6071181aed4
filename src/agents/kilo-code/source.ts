import { createTaskAgent } from '../cline/family.js';
import { beginningOf } from '../fileForm.js';
import { isString, type Fields } from '../json.js';
import { createOpenCode } from '../opencode/source.js';
import { LateParser } from '../lateParser.js';
import type { Source } from '../source.js';

const agent = 'kilo-code';
const name = 'Kilo Code';

/**
 * Kilo Code. Since it was made from OpenCode, its command line and its extension keep sessions as that does; before,
 * it was made from Roo Code, and what the extension kept then is still there.
 */
export function createKiloCode(): Source {
  const sessions = createOpenCode({
    agent,
    name,
    word: 'kilo',
    databaseVariable: 'KILO_DB',
    owns: (tables) => tables.some((table) => table.startsWith('kilo')),
  });
  const tasks = createTaskAgent({
    agent,
    name,
    extensions: ['kilocode.kilo-code'],
    ownHomes: () => [],
    sessions: () => [],
    // They look like those of Roo Code, so a file alone is not known as Kilo Code's.
    recognises: () => false,
  });
  return {
    ...sessions,
    find: async (query) => {
      const [newer, older] = [await sessions.find(query), await tasks.find(query)];
      return {
        threads: [...newer.threads, ...older.threads],
        filesLookedAt: newer.filesLookedAt + older.filesLookedAt,
        problems: [...newer.problems, ...older.problems],
      };
    },
    read: async (found, cursor, signal) =>
      ((await isTask(found.path)) ? tasks : sessions).read(found, cursor, signal),
    parser: (nativeId, options) => {
      if (nativeId !== '') {
        return (isSession(nativeId) ? sessions : tasks).parser(nativeId, options);
      }
      return new LateParser((first) => (isRow(first) ? sessions : tasks).parser('', options));
    },
    watch: (query) => [...sessions.watch(query), ...tasks.watch(query)],
  };
}

export const kiloCode = createKiloCode();

const isSession = (nativeId: string): boolean => nativeId.startsWith('ses_');

const taskLog = /[\\/](?:api_conversation_history|ui_messages|claude_messages)\.json$/;

/** A task's log is a list, whatever it is called; a session is a row of a database, or an object. */
async function isTask(path: string): Promise<boolean> {
  if (taskLog.test(path)) return true;
  return !path.endsWith('.db') && /^\s*\[/.test((await beginningOf(path, 64)).toString('utf8'));
}

/** A session's records are rows of tables, with what they hold in a member; no row is broken. */
const isRow = (record: Fields | undefined): boolean =>
  record !== undefined &&
  !isString(record['say']) &&
  !isString(record['ask']) &&
  !('content' in record);
