import type { SnapshotSummary } from '../core/model/session.js';
import { snapshotDeltaSchema, snapshotReasonSchema } from '../core/model/session.js';
import { frameRefOf, type Row, type Sqlite } from './sqlite.js';
import type { FrameRef } from './types.js';

/** Names of a snapshot's open editors, and paths of its changed files, in order. */
export interface SnapshotItems {
  readonly tabs: readonly string[];
  readonly changes: readonly string[];
}

/** Snapshots of a session, newest first. */
export const readSnapshots = (
  database: Sqlite,
  sessionId: string,
  limit: number | undefined,
): SnapshotSummary[] =>
  database.all(
    'SELECT * FROM snapshot WHERE session = ? ORDER BY stamp DESC LIMIT ?',
    [sessionId, limit ?? -1],
    toSnapshot,
  );

export const snapshotRef = (database: Sqlite, id: string): FrameRef | undefined =>
  database.first(
    'SELECT pack.name, offset FROM snapshot JOIN pack ON pack.id = pack WHERE snapshot.id = ?',
    [id],
    frameRefOf,
  );

export const firstSnapshot = (database: Sqlite, sessionId: string): FrameRef | undefined =>
  database.first(
    `SELECT pack.name, offset FROM snapshot JOIN pack ON pack.id = pack
     WHERE session = ? ORDER BY stamp LIMIT 1`,
    [sessionId],
    frameRefOf,
  );

export const latestSnapshot = (
  database: Sqlite,
  sessionId: string,
): { readonly id: string; readonly ref: FrameRef } | undefined =>
  database.first(
    `SELECT snapshot.id, pack.name, offset FROM snapshot JOIN pack ON pack.id = pack
     WHERE session = ? ORDER BY stamp DESC LIMIT 1`,
    [sessionId],
    (row) => ({ id: row.text('id'), ref: frameRefOf(row) }),
  );

/** Whether it is its session's newest. */
export function isLatest(database: Sqlite, id: string): boolean {
  const session = sessionOf(database, id);
  return session !== undefined && latestSnapshot(database, session)?.id === id;
}

/** Notes what was open and changed in a snapshot, in place of the same of its session's other ones. */
export function writeItems(database: Sqlite, id: string, { tabs, changes }: SnapshotItems): void {
  for (const table of ['tab', 'change']) {
    database.run(
      `DELETE FROM ${table} WHERE snapshot IN (SELECT id FROM snapshot WHERE session = ?)`,
      [sessionOf(database, id)],
    );
  }
  for (const [position, label] of tabs.entries()) {
    database.run('INSERT INTO tab VALUES (?, ?, ?)', [id, position, label]);
  }
  for (const [position, path] of changes.entries()) {
    database.run('INSERT INTO change VALUES (?, ?, ?)', [id, position, path]);
  }
}

/** What {@link writeItems} noted; empty for a snapshot of which nothing is noted. */
export const readItems = (database: Sqlite, id: string): SnapshotItems => ({
  tabs: database.all('SELECT label FROM tab WHERE snapshot = ? ORDER BY position', [id], (row) =>
    row.text('label'),
  ),
  changes: database.all(
    'SELECT path FROM change WHERE snapshot = ? ORDER BY position',
    [id],
    (row) => row.text('path'),
  ),
});

export const toSnapshot = (row: Row): SnapshotSummary => ({
  id: row.text('id'),
  sessionId: row.text('session'),
  at: row.number('at'),
  reason: row.word('reason', snapshotReasonSchema),
  label: row.optionalText('label'),
  tabs: row.number('tabs'),
  changes: row.number('changes'),
  threads: row.number('threads'),
  branch: row.optionalText('branch'),
  delta: row.optionalJson('delta', snapshotDeltaSchema),
});

const sessionOf = (database: Sqlite, id: string): string | undefined =>
  database.first('SELECT session FROM snapshot WHERE id = ?', [id], (row) => row.text('session'));
