import path from 'node:path';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import type { Catalog } from '../core/model/session.js';
import { readCatalog, writeCatalog } from '../vault/catalog.js';
import type { SessionIndex } from '../vault/sessionIndex.js';

/** The list is small and wanted at the next start; the database is only a view and costs an export. */
const CATALOG_AFTER_MS = 300;
const DATABASE_AFTER_MS = 5_000;

/**
 * Writes a window's view of the vault, `catalog.json` and `sessions.db`, some time after changes.
 * Losing both loses nothing: they are made again from the packs.
 */
export class Persistence {
  private catalogTimer: NodeJS.Timeout | undefined;
  private databaseTimer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly index: SessionIndex,
    private readonly activeSessionId: () => string | undefined,
    private readonly onProblem: (problem: Problem) => void,
    /** Whether the index knows all sessions: a list with some of them must not replace one with all. */
    private readonly isComplete: () => boolean = () => true,
  ) {}

  static catalogFile(folder: string): string {
    return path.join(folder, 'catalog.json');
  }

  static databaseFile(folder: string): string {
    return path.join(folder, 'sessions.db');
  }

  changed(): void {
    this.catalogTimer ??= setTimeout(() => {
      this.catalogTimer = undefined;
      this.queue(() => this.writeCatalog());
    }, CATALOG_AFTER_MS);
    this.databaseTimer ??= setTimeout(() => {
      this.databaseTimer = undefined;
      this.queue(() => this.index.save());
    }, DATABASE_AFTER_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.catalogTimer);
    clearTimeout(this.databaseTimer);
    this.queue(() => this.writeCatalog());
    this.queue(() => this.index.save());
    await this.writing;
  }

  private queue(write: () => Promise<void>): void {
    this.writing = this.writing.then(write).catch((error: unknown) => {
      this.onProblem({ where: this.folder, message: messageOf(error) });
    });
  }

  private async writeCatalog(): Promise<void> {
    if (!this.isComplete()) return;
    await writeCatalog(Persistence.catalogFile(this.folder), {
      schemaVersion: 1,
      activeSessionId: this.activeSessionId(),
      sessions: [...this.index.sessions()],
    });
  }
}

/** The list as a window of this folder last wrote it. */
export const lastList = async (view: string | undefined): Promise<Catalog | undefined> =>
  view === undefined ? undefined : (await readCatalog(Persistence.catalogFile(view))).catalog;
