import { createTaskAgent } from '../cline/family.js';
import { decode } from '../decode.js';
import { isString, type Fields } from '../json.js';
import { createOpenCode } from '../opencode/source.js';
import type { RecordPlace, Source, ThreadParser } from '../source.js';

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
    read: (found, cursor, signal) =>
      (isTask(found.path) ? tasks : sessions).read(found, cursor, signal),
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

const isTask = (path: string): boolean =>
  /[\\/](?:api_conversation_history|ui_messages|claude_messages)\.json$/.test(path);

/** A session's records are rows of tables, with what they hold in a member; no row is broken. */
const isRow = (record: Fields | undefined): boolean =>
  record !== undefined &&
  !isString(record['say']) &&
  !isString(record['ask']) &&
  !('content' in record);

/** Waits for the first record that says of which kind a thread is. */
class LateParser implements ThreadParser {
  private parser: ThreadParser | undefined;

  constructor(private readonly create: (first: Fields | undefined) => ThreadParser) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    this.parser ??= this.create(decode(record).fields);
    this.parser.push(record, place);
  }

  thread(options?: { readonly turns?: boolean }): ReturnType<ThreadParser['thread']> {
    return (this.parser ?? this.create({})).thread(options);
  }

  get working(): boolean {
    return this.parser?.working ?? false;
  }
}
