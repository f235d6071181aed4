import * as vscode from 'vscode';
import { View } from '../ids.js';
import { readCall, sessionTargetSchema } from './call.js';
import type { Run } from './context.js';

/** Reads the agents' stores now, then the list. */
export const refresh: Run<undefined> = async ({ sessions, list, log }) => {
  await vscode.window.withProgress({ location: { viewId: View.sessions } }, async () => {
    const report = await (await sessions.engine()).scanThreads();
    log.info(
      `Looked at ${report.filesLookedAt} files: ${report.threads} conversations, ${report.recordsAdded} new records (${report.bytesRead} bytes)`,
    );
    for (const problem of report.problems) log.warn(`${problem.where}: ${problem.message}`);
    await list.refresh();
  });
  return undefined;
};

/** Stops the first reading of what agents wrote, until the window opens anew or a person lets it go on. */
export const pauseReading: Run<undefined> = async ({ sessions }) => {
  await (await sessions.engine()).pauseReading();
  return undefined;
};

/** Does not wait for what is read then. */
export const resumeReading: Run<undefined> = async ({ sessions, errors }) => {
  const engine = await sessions.engine();
  void errors.run(() => engine.resumeReading());
  return undefined;
};

export const showOlder: Run<undefined> = ({ view }, args) => {
  const call = readCall(args, sessionTargetSchema);
  if (call.from === 'program') view.showOlder(call.options.sessionId);
  return Promise.resolve(undefined);
};
