import { z } from 'zod';
import { originMarkSchema, originSchema } from './origin.js';

export const sessionStatusSchema = z.enum(['active', 'paused', 'finished']);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** What a change to a session may set. Later patches win, field by field, in the order of the clock. */
export const sessionPatchSchema = z.object({
  title: z.string().optional(),
  goal: z.string().optional(),
  status: sessionStatusSchema.optional(),
  tags: z.array(z.string()).optional(),
  /** A deleted session is hidden; its records stay in the vault until collection. */
  deleted: z.boolean().optional(),
  /** An archived session is left out of lists unless they are asked for it; all of it is kept. */
  archived: z.boolean().optional(),
});
export type SessionPatch = z.infer<typeof sessionPatchSchema>;

/** One frame of a session's history in the vault. The first one of a session creates it. */
export const sessionEventSchema = z.object({
  schemaVersion: z.literal(1),
  sessionId: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** URI of the folder or `.code-workspace` that the session was made in; given by the first event. */
  workspace: z.string().optional(),
  /** Threads that join the session, by thread id. */
  joins: z.array(z.string()).optional(),
  /** Of an imported session: who sent it. */
  origin: originSchema.optional(),
  set: sessionPatchSchema,
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

export const snapshotReasonSchema = z.enum([
  'manual', // a person asked
  'agentTurn', // an agent's turn ended
  'edits', // a burst of edits calmed down
  'gitHead', // HEAD moved
  'blur', // the window lost focus
  'interval', // time passed
  'start', // the session began or the window came back
  'beforeRestore', // so that the restore can be undone
  'capture', // the command line asked
]);
export type SnapshotReason = z.infer<typeof snapshotReasonSchema>;

/** What changed since the snapshot before. Counts of items, not of lines. */
export const snapshotDeltaSchema = z.object({
  tabsOpened: z.number(),
  tabsClosed: z.number(),
  filesChanged: z.number(),
  turnsAdded: z.number(),
});
export type SnapshotDelta = z.infer<typeof snapshotDeltaSchema>;

export const snapshotSummarySchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  at: z.number(),
  reason: snapshotReasonSchema,
  label: z.string().optional(),
  tabs: z.number(),
  changes: z.number(),
  threads: z.number(),
  branch: z.string().optional(),
  delta: snapshotDeltaSchema.optional(),
});
export type SnapshotSummary = z.infer<typeof snapshotSummarySchema>;

/** A row of the sessions list. */
export const sessionSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  goal: z.string(),
  status: sessionStatusSchema,
  tags: z.array(z.string()),
  archived: z.boolean().optional(),
  workspace: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  branch: z.string().optional(),
  /** Agents of its threads, each once. */
  agents: z.array(z.string()),
  snapshots: z.number(),
  threads: z.number(),
  last: snapshotSummarySchema.optional(),
  /** Of an imported session: who sent it. */
  origin: originMarkSchema.optional(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** `catalog.json`: the list view's rows, read before the database is opened. */
export const catalogSchema = z.object({
  schemaVersion: z.literal(1),
  activeSessionId: z.string().optional(),
  sessions: z.array(sessionSummarySchema),
});
export type Catalog = z.infer<typeof catalogSchema>;
