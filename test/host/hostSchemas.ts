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
  /** The folder or `.code-workspace` file that is open; empty: none. */
  workspace: z.string(),
  /** Folder for what a person is asked to do in the window; absent where nobody can. See `person.ts`. */
  person: z.string().optional(),
  /** A folder of this suite's own that outlives the window. */
  scratch: z.string(),
});
export type HostRequest = z.infer<typeof hostRequestSchema>;

/** How the next phase of a reopen suite opens its window. */
export const nextWindowSchema = z.object({
  /** Another folder or `.code-workspace` file; empty: none. */
  workspace: z.string().optional(),
  /**
   * Before, a person runs a command that asks for a path, in a window on the workspace, and the next window opens
   * what that led to. VS Code lets no window that runs tests go to another workspace.
   */
  person: z.object({ command: z.string(), path: z.string() }).optional(),
  /** A folder that gets another name while no window is open. */
  rename: z.object({ from: z.string(), to: z.string() }).optional(),
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
  /** The tests have killed the extension host; then nobody says that they have ended. */
  killed: z.boolean(),
  /** Number of the last phase that the files have. */
  phases: z.number(),
  next: nextWindowSchema,
});
export type HostResult = z.infer<typeof hostResultSchema>;

/** What a person is asked to do, at once: whether it could be done is in the answer. */
export const personOrderSchema = z.discriminatedUnion('do', [
  /** Presses a button of a message. */
  z.object({ do: z.literal('press'), button: z.string() }),
  /** Looks whether the browser has written down a text, to show it when the window opens again. */
  z.object({ do: z.literal('recall'), text: z.string() }),
  /** Looks around; into a picture too, if that has a name. */
  z.object({
    do: z.literal('look'),
    picture: z.string().optional(),
    /** Opens groups of the sessions view, for all of its rows to be seen. */
    opens: z.boolean().optional(),
  }),
]);
export type PersonOrder = z.infer<typeof personOrderSchema>;

export const personAnswerSchema = z.object({
  /** Whether what was asked for could be done, or was so. */
  done: z.boolean(),
  messages: z.array(z.string()),
  /** Rows of the sessions view, as a screen reader reads them. */
  rows: z.array(z.string()),
  /** What can be chosen in the list that asks. */
  choices: z.array(z.string()),
  /** What else there is to be seen, for whoever reads of a failure. */
  around: z.string(),
});
export type PersonAnswer = z.infer<typeof personAnswerSchema>;
