import type { Sqlite } from './sqlite.js';

/** "KTHD": tells our databases from others (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x4b544844;

/**
 * What brings a database from each version to the next; `user_version` counts the steps done. A step that
 * was released is never edited: a database whose schema is not what the steps make is not used. A step
 * that teaches the index something new of the frames must also set `covered` to 0, so that all packs are read again.
 */
const migrations: readonly string[] = [
  // ANY: text that may hold what TEXT cannot, see toSql. REAL: numbers as others wrote them. A stamp is a
  // frame's clock and the start of its hash, in hex: stamps sort in the order of all processes' frames.
  `
  CREATE TABLE pack (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    covered INTEGER NOT NULL -- all frames before this offset are in the tables
  ) STRICT;

  CREATE TABLE blob (
    hash BLOB PRIMARY KEY NOT NULL,
    pack INTEGER NOT NULL,
    offset INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session (
    id ANY PRIMARY KEY NOT NULL,
    title ANY NOT NULL,
    goal ANY NOT NULL,
    status TEXT, -- null: only its snapshots were seen so far
    tags TEXT NOT NULL, -- JSON array
    deleted INTEGER NOT NULL,
    workspace ANY,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    oldest TEXT NOT NULL, -- stamps of the first and of the last thing that happened
    newest TEXT NOT NULL,
    stamps TEXT NOT NULL -- JSON object: the stamp of each field's value
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE snapshot (
    id ANY PRIMARY KEY NOT NULL,
    session ANY NOT NULL,
    at REAL NOT NULL,
    reason TEXT NOT NULL,
    label ANY,
    tabs REAL NOT NULL,
    changes REAL NOT NULL,
    threads REAL NOT NULL,
    branch ANY,
    delta TEXT, -- JSON object
    stamp TEXT NOT NULL,
    pack INTEGER NOT NULL,
    offset INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX snapshot_by_session ON snapshot (session, stamp);

  -- Of each session's newest described snapshot.
  CREATE TABLE tab (
    snapshot ANY NOT NULL,
    position INTEGER NOT NULL,
    label ANY NOT NULL,
    PRIMARY KEY (snapshot, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE change (
    snapshot ANY NOT NULL,
    position INTEGER NOT NULL,
    path ANY NOT NULL,
    PRIMARY KEY (snapshot, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE thread (
    id ANY PRIMARY KEY NOT NULL,
    -- From the frames.
    parent ANY,
    parent_stamp TEXT,
    state TEXT NOT NULL,
    state_stamp TEXT,
    generation INTEGER, -- the newest one; null before the first records
    records INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    -- From the agent's parser: as of so many records of that generation.
    summary_generation INTEGER,
    summary_records INTEGER,
    summary_bytes REAL,
    title ANY,
    cwd ANY,
    branch ANY,
    version ANY,
    turns REAL,
    messages REAL,
    first_at REAL,
    last_at REAL,
    first_prompt ANY,
    last_prompt ANY,
    open_todos TEXT, -- JSON array
    working INTEGER,
    skipped REAL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX thread_by_parent ON thread (parent);

  CREATE TABLE session_thread (
    session ANY NOT NULL,
    thread ANY NOT NULL,
    PRIMARY KEY (session, thread)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE batch (
    thread ANY NOT NULL,
    generation INTEGER NOT NULL,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    reused INTEGER,
    bytes INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    pack INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    PRIMARY KEY (thread, generation, first, stamp)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE cursor (
    thread ANY PRIMARY KEY NOT NULL,
    generation INTEGER NOT NULL,
    records INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    value TEXT NOT NULL -- JSON object
  ) STRICT, WITHOUT ROWID;
  `,
  // What an older version read and did not know: the packs are read again.
  `
  ALTER TABLE session ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE session ADD COLUMN origin TEXT; -- JSON object
  ALTER TABLE thread ADD COLUMN lineage TEXT; -- JSON object
  UPDATE pack SET covered = 0;
  `,
];

export const schemaVersion = migrations.length;

/** Brings a database from `version` (0: empty) to the newest one; all steps or none. */
export function migrate(database: Sqlite, version: number): void {
  database.transaction(() => {
    for (const step of migrations.slice(version)) database.script(step);
    database.script(`PRAGMA application_id = ${applicationId}`);
    database.script(`PRAGMA user_version = ${schemaVersion}`);
  });
}
