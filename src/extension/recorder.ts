import * as vscode from 'vscode';
import type { SnapshotReason } from '../core/model/session.js';
import type { StrategyEvent, StrategySettings, StrategyState, Work } from '../core/strategy.js';
import { advance, isIdle, nextSnapshot, startStrategy } from '../core/strategy.js';
import type { ErrorReporter } from './errors.js';
import { GitHeadWatcher } from './gitHead.js';
import { Setting } from './ids.js';
import type { Sessions } from './sessions.js';
import { readSetting } from './settings.js';

export interface RecorderDependencies {
  readonly sessions: Sessions;
  readonly onDidEndTurn: vscode.Event<string>;
  readonly errors: ErrorReporter;
}

/** Work that goes on although a person has not said yet whether the last state should come back. */
const realWork: ReadonlySet<Work> = new Set(['agentTurn', 'edit', 'gitHead']);

/**
 * Takes snapshots by itself: hears what happens in the window and saves when the strategy says so. The
 * first one begins a session, so a window in which nothing happens has none.
 */
export class Recorder implements vscode.Disposable {
  private state: StrategyState = startStrategy(readSettings(), performance.now());
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> | undefined;
  private saves = false;
  private unsaved = 0;
  /** When the window's last save began, whoever asked for it. */
  private saveBegan = 0;
  private held = false;
  private failed = false;
  private readonly git = new GitHeadWatcher();
  private listeners: vscode.Disposable[] = [];

  constructor(private readonly dependencies: RecorderDependencies) {}

  /**
   * Begins to listen.
   *
   * @param hold waits with the first snapshot until {@link release}, or until somebody works
   */
  start({ hold }: { readonly hold: boolean }): void {
    this.held = hold;
    this.listeners = this.listen();
    void this.dependencies.errors.run(() => this.git.start());
  }

  release(): void {
    // Tabs and terminals that VS Code opened by itself are no reason to begin a session.
    const began = this.dependencies.sessions.activeSessionId !== undefined;
    if (this.held && !began) this.state = startStrategy(this.state.settings, performance.now());
    this.held = false;
    this.schedule();
  }

  /** Saves what is new, as the last thing before the window is gone. */
  async flush(): Promise<void> {
    await this.saving;
    if (this.held || isIdle(this.state) || nextSnapshot(this.state) === undefined) return;
    await this.save('blur');
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(this.git, ...this.listeners).dispose();
  }

  private listen(): vscode.Disposable[] {
    const { sessions, onDidEndTurn } = this.dependencies;
    const { window, workspace, debug } = vscode;
    const arranged = (): void => this.note('arrange');
    return [
      onDidEndTurn(() => this.note('agentTurn')),
      sessions.onDidChange(() => this.noteSessions()),
      workspace.onDidChangeTextDocument((change) => {
        if (isWork(change)) this.note('edit');
      }),
      workspace.onDidSaveTextDocument(() => this.note('edit')),
      workspace.onDidSaveNotebookDocument(() => this.note('edit')),
      window.tabGroups.onDidChangeTabs(arranged),
      window.tabGroups.onDidChangeTabGroups(arranged),
      window.onDidOpenTerminal(arranged),
      window.onDidCloseTerminal(arranged),
      window.onDidEndTerminalShellExecution(arranged),
      debug.onDidChangeBreakpoints(arranged),
      window.onDidChangeTextEditorSelection(() => this.note('view')),
      window.onDidChangeWindowState(({ focused }) => {
        if (!focused) this.note('blur');
      }),
      this.git.onDidMove(() => this.note('gitHead')),
      sessions.onDidSave(({ stored }) =>
        this.advance({ kind: 'saved', at: this.saveBegan, stored }),
      ),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('keepthread.checkpoint')) this.applySettings();
      }),
    ];
  }

  private note(kind: Work): void {
    if (realWork.has(kind)) this.held = false;
    this.advance({ kind, at: performance.now() });
  }

  private noteSessions(): void {
    const { state, unsavedThreads } = this.dependencies.sessions;
    const saves = state === 'saving';
    if (saves && !this.saves) this.saveBegan = performance.now();
    this.saves = saves;
    if (unsavedThreads > this.unsaved) this.note('agentActivity');
    this.unsaved = unsavedThreads;
  }

  private advance(event: StrategyEvent): void {
    this.state = advance(this.state, event);
    this.schedule();
  }

  private applySettings(): void {
    this.state = { ...this.state, settings: readSettings() };
    this.schedule();
  }

  private save(reason: SnapshotReason): Promise<void> {
    this.saving = this.trySave(reason).finally(() => {
      this.saving = undefined;
      this.schedule();
    });
    return this.saving;
  }

  /** A failure is said once; the editor works on, and the next save is tried. */
  private async trySave(reason: SnapshotReason): Promise<void> {
    const { sessions, errors } = this.dependencies;
    try {
      await sessions.save({ reason });
      this.failed = false;
    } catch (error) {
      this.state = advance(this.state, { kind: 'failed', at: performance.now() });
      if (!this.failed) errors.report(error);
      this.failed = true;
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.held || this.saving !== undefined) return;
    if (this.dependencies.sessions.state === 'readOnly') return;
    const due = nextSnapshot(this.state);
    if (due === undefined) return;
    const wait = Math.max(due.at - performance.now(), 0);
    this.timer = setTimeout(() => void this.save(due.reason), wait);
  }
}

function readSettings(): StrategySettings {
  const seconds = readSetting(Setting.intervalSeconds);
  return { strategy: readSetting(Setting.strategy), intervalMs: Math.max(seconds, 10) * 1000 };
}

/** Whether a change is of text that a snapshot can hold; output and other views change all the time. */
const isWork = ({ contentChanges, document }: vscode.TextDocumentChangeEvent): boolean =>
  contentChanges.length > 0 &&
  (document.isUntitled ||
    vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) !== undefined);
