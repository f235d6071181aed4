import * as vscode from 'vscode';
import type { KeepthreadApi } from './api.js';
import { startBackground } from './background.js';
import { LastRestore } from './commands/lastRestore.js';
import { registerCommands } from './commands/register.js';
import { createApi } from './createApi.js';
import { createErrorReporter } from './errors.js';
import { registerArrivals } from './handoff/arrivals.js';
import { openSessions } from './openSessions.js';
import { Recorder } from './recorder.js';
import { ListFilter } from './views/listFilter.js';
import { Reports } from './views/reports.js';
import { SessionList } from './views/sessionList.js';
import { registerSessionsView } from './views/sessionsView.js';
import { registerStatusBar } from './views/statusBar.js';
import { registerThreadDocuments } from './views/threadDocument.js';

let finish: (() => Promise<void>) | undefined;

/** Wires the parts; none of them opens or reads anything before it is asked. */
export function activate(context: vscode.ExtensionContext): KeepthreadApi {
  const begun = performance.now();
  const log = vscode.window.createOutputChannel('Keepthread', { log: true });
  const errors = createErrorReporter(log);
  const opened = openSessions(context, log);
  const { sessions } = opened;
  const filter = new ListFilter(context.workspaceState);
  const list = new SessionList(sessions, opened.readCatalog, log, filter);
  const view = registerSessionsView(list, sessions);
  const reports = new Reports();
  const lastRestore = new LastRestore();
  const commands = {
    sessions,
    list,
    view,
    log,
    errors,
    lastRestore,
    reports,
    storage: context,
    secrets: context.secrets,
    state: context.workspaceState,
  };
  const recorder = new Recorder({ sessions, onDidEndTurn: opened.onDidEndTurn, errors });
  finish = async () => {
    opened.beginClose();
    await recorder.flush();
    await opened.close();
  };
  context.subscriptions.push(
    log,
    opened,
    filter,
    list,
    view,
    reports,
    registerStatusBar(list, sessions),
    registerThreadDocuments(sessions),
    registerArrivals(sessions),
    registerCommands(commands),
    recorder,
    startBackground(commands, recorder),
  );
  return { ...createApi(commands), activationMs: performance.now() - begun };
}

/** VS Code waits for at most 5 seconds. */
export async function deactivate(): Promise<void> {
  await finish?.();
}
