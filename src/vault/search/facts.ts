import { z } from 'zod';
import type { Row, Sqlite } from '../sqlite.js';
import { belongs, isKept } from '../threadRows.js';

/** A conversation, as far as searching needs to know it. */
export interface ThreadFacts {
  readonly id: string;
  /** What is shown of it: so many records of one generation. */
  readonly generation: number;
  readonly records: number;
  readonly bytes: number;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly at?: number | undefined;
}

export interface SessionFacts {
  readonly id: string;
  readonly title: string;
  readonly goal: string;
  readonly tags: readonly string[];
  readonly workspace?: string | undefined;
  readonly at: number;
  readonly branch?: string | undefined;
  /** Labels of its snapshots. */
  readonly labels: readonly string[];
  /** Its newest snapshot: open editors by label, changed files by path. */
  readonly files: readonly string[];
  /** The newest snapshot, when its files are not known. */
  readonly undescribed?: string | undefined;
}

/** What is searched besides the conversations' own text, and how it all belongs together. */
export interface SearchFacts {
  readonly threads: ReadonlyMap<string, ThreadFacts>;
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  /** Sessions of each conversation. */
  readonly sessionsOf: ReadonlyMap<string, readonly string[]>;
}

export function readFacts(database: Sqlite): SearchFacts {
  const threads = database.all(
    `SELECT id, coalesce(summary_generation, generation) AS generation,
       coalesce(summary_records, records) AS records, coalesce(summary_bytes, bytes) AS bytes,
       title, cwd, branch, last_at FROM thread WHERE ${isKept}`,
    [],
    toThread,
  );
  const sessionsOf = new Map<string, string[]>();
  database.all(
    `${belongs} SELECT session, thread FROM belongs JOIN session ON session.id = session
     WHERE deleted = 0`,
    [],
    (row) => append(sessionsOf, row.text('thread'), row.text('session')),
  );
  const sessions = readSessions(database);
  return {
    threads: new Map(threads.map((thread) => [thread.id, thread])),
    sessions: new Map(sessions.map((session) => [session.id, session])),
    sessionsOf,
  };
}

function readSessions(database: Sqlite): SessionFacts[] {
  const labels = new Map<string, string[]>();
  database.all('SELECT session, label FROM snapshot WHERE label IS NOT NULL', [], (row) =>
    append(labels, row.text('session'), row.text('label')),
  );
  const files = new Map<string, string[]>();
  for (const [table, column] of [
    ['tab', 'label'],
    ['change', 'path'],
  ] as const) {
    database.all(`SELECT snapshot, ${column} AS name FROM ${table} ORDER BY position`, [], (row) =>
      append(files, row.text('snapshot'), row.text('name')),
    );
  }
  const newest = new Map(
    database.all(
      // With max() alone, the other columns are of its row: sqlite.org/quirks.html
      'SELECT session, id, tabs, changes, branch, max(stamp) FROM snapshot GROUP BY session',
      [],
      (row) =>
        [
          row.text('session'),
          {
            id: row.text('id'),
            items: row.number('tabs') + row.number('changes'),
            branch: row.optionalText('branch'),
          },
        ] as const,
    ),
  );
  return database.all('SELECT * FROM session WHERE deleted = 0', [], (row) => {
    const id = row.text('id');
    const last = newest.get(id);
    const known = files.get(last?.id ?? '');
    return {
      id,
      title: row.text('title'),
      goal: row.text('goal'),
      tags: row.json('tags', z.array(z.string())),
      workspace: row.optionalText('workspace'),
      at: row.number('updated_at'),
      branch: last?.branch,
      labels: labels.get(id) ?? [],
      files: known ?? [],
      undescribed: last && !known && last.items > 0 ? last.id : undefined,
    };
  });
}

const toThread = (row: Row): ThreadFacts => ({
  id: row.text('id'),
  generation: row.number('generation'),
  records: row.number('records'),
  bytes: row.number('bytes'),
  title: row.optionalText('title'),
  cwd: row.optionalText('cwd'),
  branch: row.optionalText('branch'),
  at: row.optionalNumber('last_at'),
});

function append(to: Map<string, string[]>, key: string, value: string): void {
  const values = to.get(key);
  if (values) values.push(value);
  else to.set(key, [value]);
}
