import { z } from 'zod';

/** What the runner tells the tests inside the extension host, in the file named by `KEEPTHREAD_HOST_RUN`. */
export const hostRequestSchema = z.object({
  /** Bundled test files. */
  files: z.array(z.string()),
  /** Which suites of a reopen file run now; absent in the same-window run. */
  phase: z.number().optional(),
  /** Where lines for people go. */
  log: z.string(),
  /** Where the result goes. */
  results: z.string(),
  /** Folder that is home to everything that runs, agents included. */
  home: z.string(),
  /** The folder or `.code-workspace` file that is open. */
  workspace: z.string(),
  /** A folder of this suite's own that outlives the window. */
  scratch: z.string(),
});
export type HostRequest = z.infer<typeof hostRequestSchema>;

/** How the next phase of a reopen suite opens its window. */
export const nextWindowSchema = z.object({
  /** Another folder or `.code-workspace` file. */
  workspace: z.string().optional(),
  /** VS Code remembers nothing by itself: no tabs, no layout, no drafts. */
  forgetful: z.boolean().optional(),
});
export type NextWindow = z.infer<typeof nextWindowSchema>;

export const hostResultSchema = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** Process of the extension host. */
  pid: z.number(),
  /** Number of the last phase that the files have. */
  phases: z.number(),
  next: nextWindowSchema,
});
export type HostResult = z.infer<typeof hostResultSchema>;
