import * as vscode from 'vscode';
import type { Catalog } from '../core/model/session.js';
import type { OpenResult, Problem } from '../core/engine.js';
import type { Trackers } from './capture/capture.js';
import { TerminalTracker } from './capture/terminals.js';
import { ViewTracker } from './capture/viewTracker.js';
import type { EngineHost } from './engine/host.js';
import { Setting } from './ids.js';
import type { Log } from './log.js';
import { Sessions } from './sessions.js';
import { BuildingNotice, Warnings } from './warnings.js';

export interface OpenedSessions {
  readonly sessions: Sessions;
  /** An agent finished answering. */
  readonly onDidEndTurn: vscode.Event<string>;
  /** The list as of the last save, without starting the engine. */
  readonly readCatalog: () => Promise<Catalog | undefined>;
  /** Captures without the workbench from now on, which answers no more. */
  readonly beginClose: () => void;
  /** Writes what is pending. VS Code waits for at most 5 seconds. */
  readonly close: () => Promise<void>;
  readonly dispose: () => void;
}

/** Settings that the engine is opened with. */
const engineSettings = [
  Setting.maxFileMegabytes,
  Setting.maxUntrackedFiles,
  Setting.agentHomes,
  Setting.pollSeconds,
  Setting.redactOnSave,
  Setting.quotaMegabytes,
  Setting.backups,
  Setting.redactionRules,
  Setting.redactionAllow,
];

/** The window's sessions over an engine that starts when it is first asked. Opens nothing yet. */
export function openSessions(context: vscode.ExtensionContext, log: Log): OpenedSessions {
  const turnEnded = new vscode.EventEmitter<string>();
  const trackers: Trackers = {
    views: new ViewTracker(),
    terminals: new TerminalTracker(),
    layout: { isClosing: false },
  };
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  let host: Promise<EngineHost> | undefined;

  const warnings = new Warnings();
  const building = new BuildingNotice(() => {
    void sessions.engine().then((engine) => engine.stopBuilding());
  });
  const say = (problem: Problem): void => {
    log.warn(`${problem.where}: ${problem.message}`);
    warnings.tell(problem);
  };

  const startHost = async (): Promise<EngineHost> => {
    const { EngineHost: Host } = await import('./engine/host.js');
    return new Host({
      context,
      events: {
        changed: () => sessions.noteChange(),
        turnEnded: (threadId) => turnEnded.fire(threadId),
        activity: (threadIds) => sessions.noteActivity(threadIds),
        problem: say,
        building: (progress) => building.show(progress),
        reading: (progress) => sessions.noteReading(progress),
      },
      onOpen,
      onDeath: (error) => log.error(error),
    });
  };
  const onOpen = (result: OpenResult): void => {
    const { activeSessionId, readOnly, problems, projectKey } = result;
    log.info(`Opened project ${projectKey}${readOnly ? ', read-only' : ''}`);
    problems.forEach(say);
    sessions.noteReading(undefined);
    sessions.setPlace(result);
    if (readOnly) sessions.setReadOnly();
    if (sessions.activeSessionId === undefined) sessions.adopt(activeSessionId);
  };
  const sessions = new Sessions({
    engine: async () => (await (host ??= startHost())).engine(),
    capture: async () => (await import('./capture/capture.js')).captureWindow(trackers, version),
    restart: async () => (await host)?.restart(),
  });

  /** Folders, trust or settings differ: the next call opens the engine anew. */
  const restart = async (): Promise<void> => {
    (await host)?.restart();
    sessions.noteChange();
  };
  const listeners = [
    vscode.workspace.onDidChangeWorkspaceFolders(() => void restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (engineSettings.some((name) => change.affectsConfiguration(name))) void restart();
    }),
  ];

  return {
    sessions,
    onDidEndTurn: turnEnded.event,
    readCatalog: async () => {
      const [{ viewFolder }, { readCatalog }] = await Promise.all([
        import('./engine/host.js'),
        import('../vault/catalog.js'),
      ]);
      const file = vscode.Uri.joinPath(vscode.Uri.file(viewFolder(context)), 'catalog.json').fsPath;
      const { catalog, problems } = await readCatalog(file);
      for (const { where, message } of problems) log.warn(`${where}: ${message}`);
      return catalog;
    },
    beginClose: () => {
      trackers.layout.isClosing = true;
    },
    close: async () => (await host)?.stop(),
    dispose: () => {
      vscode.Disposable.from(
        ...listeners,
        turnEnded,
        sessions,
        trackers.views,
        trackers.terminals,
      ).dispose();
    },
  };
}
