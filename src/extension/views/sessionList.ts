import * as vscode from 'vscode';
import type { Catalog, SessionSummary } from '../../core/model/session.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import type { Log } from '../log.js';
import type { Sessions } from '../sessions.js';
import { ListFilter } from './listFilter.js';

/** Changes come in bursts, such as the records of an agent that is answering. */
const CALM_MS = 150;

/**
 * The rows that the tree, the status bar and the pickers show. The first ones come from `catalog.json`,
 * before the engine runs; then each change reads them again, once for a burst.
 */
export class SessionList implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  private rows: readonly SessionSummary[] = [];
  private otherRows: readonly ThreadSummary[] = [];
  private catalogActive: string | undefined;
  private lastFailure: unknown;
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private readonly subscription: vscode.Disposable;
  private here: readonly string[] | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly readCatalog: () => Promise<Catalog | undefined>,
    private readonly log: Log,
    /** What of it a person wants shown. */
    readonly filter: ListFilter = new ListFilter(),
  ) {
    this.subscription = vscode.Disposable.from(
      sessions.onDidChange(() => this.schedule()),
      filter.onDidChange(() => this.changed.fire()),
    );
  }

  /** Sessions that are not deleted. */
  get all(): readonly SessionSummary[] {
    return this.rows;
  }

  /** Those of them that a person wants shown. */
  get shown(): readonly SessionSummary[] {
    const { activeId } = this;
    return this.rows.filter((session) => this.filter.shows(session, activeId));
  }

  /** Threads that belong to no session. */
  get others(): readonly ThreadSummary[] {
    return this.otherRows;
  }

  /** Whether the rows were read at all: before, an empty list means nothing. */
  get ready(): boolean {
    return this.isReady;
  }

  /** Why the last reading failed; undefined when it did not. */
  get failure(): unknown {
    return this.lastFailure;
  }

  get activeId(): string | undefined {
    return this.sessions.activeSessionId ?? this.catalogActive;
  }

  get active(): SessionSummary | undefined {
    const id = this.activeId;
    return this.rows.find((session) => session.id === id);
  }

  /** Shows what the catalog holds, without starting the engine. Resolves to whether there was one. */
  async paintFromCatalog(): Promise<boolean> {
    const catalog = await this.readCatalog();
    if (this.isReady || !catalog) return this.isReady;
    this.rows = catalog.sessions;
    this.catalogActive = catalog.activeSessionId;
    this.isReady = true;
    this.changed.fire();
    return true;
  }

  /** Reads the rows from the engine. Never rejects: see {@link failure}. */
  refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.changed.dispose();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // A reading that runs may have missed what changed since it began.
      void (this.reading ?? Promise.resolve()).then(() => this.refresh());
    }, CALM_MS);
  }

  private async read(): Promise<void> {
    try {
      const engine = await this.sessions.engine();
      [this.rows, this.otherRows] = await Promise.all([
        engine.listSessions(),
        engine.listThreads(null),
      ]);
      this.catalogActive = undefined;
      if (this.sessions.here !== this.here) {
        this.here = this.sessions.here;
        this.filter.setPlaces(this.here ?? []);
      }
      this.lastFailure = undefined;
    } catch (error) {
      this.lastFailure = error;
      this.log.error(error);
    }
    this.isReady = true;
    this.changed.fire();
  }
}
