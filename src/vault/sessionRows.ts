import { markOf } from '../core/model/origin.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import { splitThreadId } from '../core/model/ids.js';
import { toState } from './applyFrames.js';
import { toSnapshot } from './snapshotRows.js';
import type { Row, Sqlite, SqlParameter } from './sqlite.js';
import { belongs, isKept } from './threadRows.js';

/** Sessions that meet a condition on the session table, newest activity first. */
export function readSessions(
  database: Sqlite,
  condition: string,
  parameters: readonly SqlParameter[],
): SessionSummary[] {
  const chosen = `SELECT id FROM session WHERE ${condition}`;
  const snapshots = new Map(
    database.all(
      // With max() alone in an aggregate query, the other columns are of its row: sqlite.org/quirks.html
      `SELECT *, max(stamp), count(*) AS total FROM snapshot WHERE session IN (${chosen}) GROUP BY session`,
      parameters,
      (row) =>
        [row.text('session'), { last: toSnapshot(row), total: row.number('total') }] as const,
    ),
  );
  const threads = new Map<string, string[]>();
  database.all(
    `${belongs} SELECT session, thread FROM belongs JOIN thread ON thread.id = thread
     WHERE ${isKept} AND session IN (${chosen})`,
    parameters,
    (row) => {
      const session = row.text('session');
      threads.set(session, [...(threads.get(session) ?? []), row.text('thread')]);
    },
  );
  return database.all(
    `SELECT * FROM session WHERE ${condition} ORDER BY newest DESC`,
    parameters,
    (row) => {
      const id = row.text('id');
      return toSession(row, id, snapshots.get(id), threads.get(id) ?? []);
    },
  );
}

function toSession(
  row: Row,
  id: string,
  snapshots: { readonly last: SnapshotSummary; readonly total: number } | undefined,
  threads: readonly string[],
): SessionSummary {
  const state = toState(row);
  const agents = new Set(threads.map((thread) => splitThreadId(thread).agent));
  return {
    id,
    title: state.title,
    goal: state.goal,
    status: state.status ?? 'paused',
    tags: [...state.tags],
    ...(state.archived ? { archived: true } : {}),
    workspace: state.workspace,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    branch: snapshots?.last.branch,
    agents: [...agents].sort(),
    snapshots: snapshots?.total ?? 0,
    threads: threads.length,
    last: snapshots?.last,
    ...(state.origin && { origin: markOf(state.origin) }),
  };
}
