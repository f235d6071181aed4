import { z } from 'zod';
import { placeSchema } from './editors.js';

export const terminalSchema = z.object({
  name: z.string(),
  cwd: z.string().optional(),
  shellPath: z.string().optional(),
  shellArgs: z.union([z.string(), z.array(z.string())]).optional(),
  /** Hidden, of a task, or drawn by an extension: never started by a restore. */
  namedOnly: z.boolean().optional(),
  /** Commands that shell integration told us of, oldest first. Shown, never run. */
  commands: z.array(z.object({ line: z.string(), exitCode: z.number().optional() })),
});
export type TerminalState = z.infer<typeof terminalSchema>;

const breakpointFields = {
  enabled: z.boolean(),
  condition: z.string().optional(),
  hitCondition: z.string().optional(),
  logMessage: z.string().optional(),
};
export const breakpointSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('source'),
    place: placeSchema,
    /** Zero-based. */
    line: z.number(),
    column: z.number(),
    ...breakpointFields,
  }),
  z.object({ kind: z.literal('function'), functionName: z.string(), ...breakpointFields }),
]);
export type BreakpointState = z.infer<typeof breakpointSchema>;

/** What was running, by name. Never started again without being asked. */
export const runningSchema = z.object({
  tasks: z.array(z.string()),
  debug: z.string().optional(),
});
export type Running = z.infer<typeof runningSchema>;

export const environmentSchema = z.object({
  vscode: z.string().optional(),
  keepthread: z.string(),
  os: z.string(),
  arch: z.string(),
  node: z.string(),
  remote: z.string().optional(),
  folders: z.array(z.object({ name: z.string(), uri: z.string() })),
  /** Versions seen in the agents' own records, by agent. */
  agents: z.record(z.string(), z.string()),
});
export type Environment = z.infer<typeof environmentSchema>;
