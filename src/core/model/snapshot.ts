import { z } from 'zod';
import type { Changes } from './changes.js';
import type { Editors } from './editors.js';
import { snapshotDeltaSchema, snapshotReasonSchema } from './session.js';
import type { BreakpointState, Environment, Running, TerminalState } from './workbench.js';
import { breakpointSchema, runningSchema, terminalSchema } from './workbench.js';

/** A thread up to a point: the first `records` records of one generation. */
export const threadPointSchema = z.object({
  id: z.string(),
  generation: z.number(),
  records: z.number(),
});
export type ThreadPoint = z.infer<typeof threadPointSchema>;

/**
 * What a snapshot's frame holds. The parts are JSON blobs named by SHA-256 (hex): a part that did not
 * change costs its name, and two snapshots are equal when their parts and threads are.
 */
export const snapshotSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  sessionId: z.string(),
  at: z.number(),
  reason: snapshotReasonSchema,
  label: z.string().optional(),
  parts: z.object({
    editors: z.string().optional(),
    workbench: z.string().optional(),
    changes: z.string().optional(),
    environment: z.string().optional(),
  }),
  threads: z.array(threadPointSchema),
  /** Counts for lists, so that a list need not read the parts. */
  summary: z.object({
    tabs: z.number(),
    changes: z.number(),
    /** Prompts that people typed in all its threads. */
    turns: z.number(),
    branch: z.string().optional(),
    delta: snapshotDeltaSchema.optional(),
  }),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const workbenchSchema = z.object({
  terminals: z.array(terminalSchema),
  breakpoints: z.array(breakpointSchema),
  running: runningSchema,
});
export interface Workbench {
  readonly terminals: readonly TerminalState[];
  readonly breakpoints: readonly BreakpointState[];
  readonly running: Running;
}

/** A snapshot with its parts read. A part that is damaged is absent and named in `missing`. */
export interface SnapshotContent {
  readonly snapshot: Snapshot;
  readonly editors?: Editors | undefined;
  readonly workbench?: Workbench | undefined;
  readonly changes?: Changes | undefined;
  readonly environment?: Environment | undefined;
  readonly missing: readonly string[];
}
