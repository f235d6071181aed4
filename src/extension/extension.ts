import * as vscode from 'vscode';
import type { KeepthreadApi } from './api.js';
import { startBackground } from './background.js';
import { LastRestore } from './commands/lastRestore.js';
import { registerCommands } from './commands/register.js';
import { createApi } from './createApi.js';
import { createErrorReporter } from './errors.js';
import { registerArrivals } from './handoff/arrivals.js';
import { MaskedLog } from './log.js';
import { openSessions } from './openSessions.js';
import { Recorder } from './recorder.js';
import { readRedactionSettings } from './settings.js';
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
  const channel = vscode.window.createOutputChannel('Keepthread', { log: true });
  const log = new MaskedLog(channel, loadMask);
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
    await log.flush();
  };
  context.subscriptions.push(
    channel,
    forgetMaskOnChange(log),
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

const loadMask = async (): Promise<(text: string) => string> => {
  const { createLogRedactor } = await import('../library/redaction/redactors.js');
  return createLogRedactor(readRedactionSettings());
};

const forgetMaskOnChange = (log: MaskedLog): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('keepthread.redaction')) log.forgetMask();
  });

/** VS Code waits for at most 5 seconds. */
export async function deactivate(): Promise<void> {
  await finish?.();
}
