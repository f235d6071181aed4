import * as vscode from 'vscode';
import type { Capture, Engine, OpenResult, ReadingProgress, SaveResult } from '../core/engine.js';
import type { SessionPatch, SessionSummary, SnapshotReason } from '../core/model/session.js';

/** What the status bar shows. */
export type SaveState = 'idle' | 'saving' | 'saved' | 'failed' | 'readOnly';

export interface SnapshotRequest {
  readonly reason: SnapshotReason;
  readonly label?: string | undefined;
}

export interface SessionsDependencies {
  /** Starts the engine at the first call. */
  readonly engine: () => Promise<Engine>;
  readonly capture: () => Promise<Capture>;
  /** Lets the next call open the engine anew. */
  readonly restart?: () => Promise<void>;
}

/**
 * The window's sessions: which one is active, what its saved state is, and the calls that change it.
 * Opens nothing until it is asked. All reading goes through {@link engine}.
 */
export class Sessions implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Lists, the active session, the saved state or the activity may differ. */
  readonly onDidChange = this.changed.event;
  private readonly saved = new vscode.EventEmitter<SaveResult>();
  readonly onDidSave = this.saved.event;
  private readonly read = new vscode.EventEmitter<void>();
  readonly onDidRead = this.read.event;

  private place: Pick<OpenResult, 'attached' | 'here'> | undefined;
  private active: string | undefined;
  private readingNow: ReadingProgress | undefined;
  private currentState: SaveState = 'idle';
  private readonly unsaved = new Set<string>();
  /** Saves follow one another: two at once would both compare with the same snapshot. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly dependencies: SessionsDependencies) {}

  engine(): Promise<Engine> {
    return this.dependencies.engine();
  }

  get activeSessionId(): string | undefined {
    return this.active;
  }

  get state(): SaveState {
    return this.currentState;
  }

  /** How far the first reading of what agents wrote is; undefined when it is over, or short. */
  get reading(): ReadingProgress | undefined {
    return this.readingNow;
  }

  /** Threads with records that no snapshot names yet. */
  get unsavedThreads(): number {
    return this.unsaved.size;
  }

  /** Continues a session that exists, such as the one of this window before a reload. */
  adopt(sessionId: string | undefined): void {
    this.active = sessionId;
    this.changed.fire();
  }

  /** As of the engine's opening: where it is at home. */
  setPlace({ attached, here }: Pick<OpenResult, 'attached' | 'here'>): void {
    this.place = { attached, here };
    this.changed.fire();
  }

  /** Whether a person attached this folder to its project. */
  get isAttached(): boolean {
    return this.place?.attached ?? false;
  }

  /** URIs under which sessions are of this folder; undefined until the engine is open. */
  get here(): readonly string[] | undefined {
    return this.place?.here;
  }

  /** Opens the engine anew, with the session that its project then has for this window. */
  async reopen(): Promise<void> {
    await this.exclusive(async () => {
      await this.dependencies.restart?.();
      this.active = undefined;
      await this.engine();
    });
    this.changed.fire();
  }

  /** Begins a session and makes it the active one; the one before is paused. */
  async create(set: SessionPatch = {}): Promise<SessionSummary> {
    const engine = await this.engine();
    const before = this.active;
    const session = await engine.createSession({ status: 'active', ...set });
    if (before !== undefined) await engine.updateSession(before, { status: 'paused' });
    this.adopt(session.id);
    return session;
  }

  /** Goes on with another session; the one before is paused. */
  async switchTo(sessionId: string): Promise<void> {
    const engine = await this.engine();
    const before = this.active;
    if (sessionId === before) return;
    await engine.updateSession(sessionId, { status: 'active', archived: false });
    if (before !== undefined) await engine.updateSession(before, { status: 'paused' });
    this.adopt(sessionId);
  }

  async update(sessionId: string, set: SessionPatch): Promise<SessionSummary> {
    const session = await (await this.engine()).updateSession(sessionId, set);
    const over = set.status === 'finished' || set.deleted === true;
    if (over && sessionId === this.active) this.active = undefined;
    this.changed.fire();
    return session;
  }

  /** The window as it is now; nothing is stored. */
  capture(): Promise<Capture> {
    return this.dependencies.capture();
  }

  /**
   * Takes a snapshot of the window into the active session, beginning one if there is none.
   *
   * @throws ExpectedError when it could not be stored; the window works on and the next save is tried.
   */
  save(request: SnapshotRequest): Promise<SaveResult> {
    return this.exclusive((save) => save(request));
  }

  /**
   * Runs something while no other snapshot is taken, such as a change of the whole window.
   *
   * @param run gets a save of its own, since {@link save} would wait for it to end
   */
  exclusive<T>(run: (save: Sessions['save']) => Promise<T>): Promise<T> {
    const result = this.queue.then(() => run((request) => this.saveNow(request)));
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** Called by the engine's events. */
  noteActivity(threadIds: readonly string[]): void {
    for (const id of threadIds) this.unsaved.add(id);
    this.changed.fire();
  }

  /** Called by the engine's events. */
  noteReading(progress: ReadingProgress | undefined): void {
    this.readingNow = progress;
    this.read.fire();
  }

  /** Called by the engine's events, and by whoever changed something outside of {@link update}. */
  noteChange(): void {
    this.changed.fire();
  }

  setReadOnly(): void {
    this.setState('readOnly');
  }

  dispose(): void {
    this.changed.dispose();
    this.saved.dispose();
    this.read.dispose();
  }

  private async saveNow(request: SnapshotRequest): Promise<SaveResult> {
    this.setState('saving');
    try {
      const engine = await this.engine();
      const sessionId = this.active ?? (await this.create()).id;
      const capture = await this.dependencies.capture();
      // Activity that arrives from here on belongs to the next snapshot.
      this.unsaved.clear();
      const result = await engine.save(capture, { ...request, sessionId });
      this.setState('saved');
      this.saved.fire(result);
      return result;
    } catch (error) {
      this.setState('failed');
      throw error;
    }
  }

  private setState(state: SaveState): void {
    this.currentState = state;
    this.changed.fire();
  }
}
