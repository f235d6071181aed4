import path from 'node:path';
import { z } from 'zod';
import type {
  Capture,
  Engine,
  EngineEvents,
  EngineSettings,
  OpenRequest,
  OpenResult,
  Problem,
  SaveRequest,
  SaveResult,
  ScanReport,
  StorageReport,
} from '../core/engine.js';
import type { ApplyEngine } from '../core/apply/types.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { HandoffEngine } from '../core/handoff.js';
import { noMetrics, withSave } from '../core/metrics.js';
import { newId } from '../core/model/ids.js';
import type { SessionPatch, SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { SnapshotContent } from '../core/model/snapshot.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { SearchOptions, SearchResult } from '../core/search/types.js';
import { applyCalls } from './applyCalls.js';
import { Building } from './building.js';
import { handoffCalls, type HandoffAccess } from './handoffCalls.js';
import { createIngest } from './createIngest.js';
import type { Ingest } from './ingest.js';
import { Jobs, type JobControl } from './jobs.js';
import { maintain, usualRhythm, type Rhythm } from './maintenance.js';
import { keepCounts, type Open } from './open.js';
import { activeSession, openProject, type Project } from './openProject.js';
import { lastList, Persistence } from './persistence.js';
import { ProjectSearch, usualBuilds, type BuildRhythm } from './search/projectSearch.js';
import { saveSnapshot } from './snapshotSaver.js';
import { reportStorage } from './storageReport.js';
import { storeCalls, type StoreAccess, type StoreCalls } from './storeCalls.js';
import { eventBeforeSave } from './threadMembership.js';
import { threadCalls, type ThreadCalls } from './threadCalls.js';
import { FolderWatch } from './watch.js';

export interface EngineOptions {
  /** Path of `sql-wasm.wasm`. */
  readonly wasm: string;
  readonly events: EngineEvents;
  /** When backups are made; absent: as usual. */
  readonly rhythm?: Rhythm;
  /** When search images are built; absent: as usual. */
  readonly builds?: BuildRhythm;
  /** A window waits for the reading of so many bytes of its vault; more is read while it is open. */
  readonly aheadBytes?: number;
}

/** The sessions' engine over one project's vault; see {@link Engine}. */
export function createEngine(options: EngineOptions): Engine {
  const engine = new ProjectEngine(options);
  const { access, jobs } = engine;
  const sending = { ...handoffCalls(access, jobs), ...applyCalls(access, jobs) };
  return Object.assign(engine, storeCalls(access, jobs), threadCalls(access), sending);
}

type OwnCalls = Omit<Engine, keyof (StoreCalls & ThreadCalls & HandoffEngine & ApplyEngine)>;

class ProjectEngine implements OwnCalls {
  /** What the calls need that stand in files of their own. */
  readonly access: StoreAccess & HandoffAccess = {
    wasm: () => this.options.wasm,
    opened: () => this.opened(),
    openedSoFar: () => this.openedSoFar(),
    writable: () => this.writable(),
    refresh: (open) => this.refresh(open),
    changed: (open) => this.changed(open),
  };
  readonly jobs = new Jobs();
  private opening: Promise<Open> | undefined;
  private readonly said = new Set<string>();
  private told: Project['told'] = (problem) => Promise.resolve(problem);
  private closed = false;

  constructor(private readonly options: EngineOptions) {}

  async open(request: OpenRequest): Promise<OpenResult> {
    this.opening ??= this.openNow(request);
    const { project, activeSessionId } = await this.opening;
    const { key, store, attached, here, problems } = project;
    const { readOnly } = store;
    return { projectKey: key, attached, here, activeSessionId, readOnly, problems };
  }

  async listSessions(): Promise<readonly SessionSummary[]> {
    const { project, building } = await this.openedSoFar();
    const read = project.store.index.sessions();
    return building.isDone ? read : building.rowsWith(read);
  }

  async listSnapshots(sessionId: string): Promise<readonly SnapshotSummary[]> {
    return (await this.store()).index.snapshots(sessionId);
  }

  async listThreads(sessionId: string | null): Promise<readonly ThreadSummary[]> {
    // Which threads belong to no session is known when all are read, and a list does not wait for that.
    if (sessionId === null && !(await this.openedSoFar()).building.isDone) return [];
    const rows = (await this.store()).index.threads(sessionId);
    return (await this.openedSoFar()).ingest.withListing(rows);
  }

  async readSnapshot(snapshotId: string): Promise<SnapshotContent> {
    return (await this.store()).readSnapshot(snapshotId);
  }

  async readText(hash: string): Promise<string> {
    return z.string().parse(await (await this.store()).readJson(hash));
  }

  async createSession(set: SessionPatch): Promise<SessionSummary> {
    const open = await this.writable();
    const sessionId = newId();
    const at = Date.now();
    const { workspace } = open.request;
    await open.project.store.appendSession({ schemaVersion: 1, sessionId, at, workspace, set });
    open.activeSessionId = sessionId;
    this.changed(open);
    return this.session(open, sessionId);
  }

  async updateSession(sessionId: string, set: SessionPatch): Promise<SessionSummary> {
    const open = await this.writable();
    this.session(open, sessionId);
    const at = Date.now();
    await open.project.store.appendSession({ schemaVersion: 1, sessionId, at, set });
    const over = set.deleted === true || (set.status !== undefined && set.status !== 'active');
    if (set.status === 'active') open.activeSessionId = sessionId;
    else if (over && open.activeSessionId === sessionId) open.activeSessionId = undefined;
    this.changed(open);
    return this.session(open, sessionId);
  }

  async save(capture: Capture, request: SaveRequest): Promise<SaveResult> {
    const open = await this.writable();
    const begin = performance.now();
    try {
      const result = await this.saveNow(open, capture, request);
      open.counted = withSave(open.counted, performance.now() - begin);
      return result;
    } catch (error) {
      open.counted = withSave(open.counted, undefined);
      throw error;
    }
  }

  private async saveNow(open: Open, capture: Capture, request: SaveRequest): Promise<SaveResult> {
    const { store } = open.project;
    // The first look at the stores may take long; a save does not wait for it.
    if (open.ingest.caughtUp) await open.ingest.scan();
    const session = this.session(open, request.sessionId);
    const event = eventBeforeSave(session, store.index, open.ingest.touchedThreads);
    if (event) await store.appendSession(event);
    const threads = store.index.threads(request.sessionId);
    const context = {
      store,
      settings: open.request.settings,
      folders: open.project.folders,
      trusted: open.request.trusted,
    };
    const result = await saveSnapshot(context, capture, request, threads);
    open.activeSessionId = request.sessionId;
    if (result.stored || event) this.changed(open);
    if (result.stored) open.maintenance?.saved();
    return result;
  }

  async scanThreads(): Promise<ScanReport> {
    const open = await this.opened();
    await this.refresh(open);
    open.ingest.resume();
    return this.scan(open);
  }

  async pauseReading(): Promise<void> {
    await (await this.openedSoFar()).ingest.pause();
  }

  async resumeReading(): Promise<void> {
    const open = await this.opened();
    if (open.ingest.resume()) await this.news(open);
  }

  async search(query: string, options?: SearchOptions): Promise<SearchResult> {
    return (await this.opened()).search.search(query, options);
  }

  async storage(): Promise<StorageReport> {
    const open = await this.opened();
    return reportStorage(
      open.project.vaultFolders,
      open.request.view,
      open.ingest.watchedFolders(),
    );
  }

  async rebuild(name?: string): Promise<void> {
    const open = await this.opened();
    const { store } = open.project;
    await this.jobs.run(name, async ({ signal, onProgress }: JobControl) => {
      const total = await store.size();
      let done = 0;
      const onBytes = (bytes: number): void => {
        done += bytes;
        onProgress(Math.min(done, total), total);
      };
      await store.renew((problem) => this.say(problem), { signal, onBytes });
    });
    await open.ingest.summarizeMissing();
    this.changed(open);
    await open.persistence?.flush();
  }

  async stopBuilding(): Promise<void> {
    await (await this.openedSoFar()).building.stop();
  }

  async close(): Promise<void> {
    if (!this.opening) return;
    const open = await this.opening;
    this.closed = true;
    open.watch?.close();
    await open.search.close();
    await open.building.stop();
    await open.maintenance?.close();
    await open.persistence?.flush();
    await keepCounts(open);
    await open.project.store.close();
  }

  private async openNow(request: OpenRequest): Promise<Open> {
    const project = await openProject(request, this.options.wasm, this.options.aheadBytes);
    this.told = project.told;
    const ingest = createIngest(request, project, this.options.events);
    project.store.completeBy((store, signal) => ingest.summarizeMissing(signal, store));
    const before = project.isBehind ? await lastList(request.view) : undefined;
    const open: Open = {
      request,
      project,
      ingest,
      building: this.building(project, ingest, before?.sessions ?? []),
      persistence:
        request.view === undefined ? undefined : this.persist(request.view, project, () => open),
      watch: this.watch(request.settings, ingest, project.vaultFolders, () => void this.news(open)),
      maintenance: maintain(request, project, {
        wasm: this.options.wasm,
        rhythm: this.options.rhythm ?? usualRhythm,
        onProblem: (problem) => this.say(problem),
      }),
      search: new ProjectSearch(request, project, {
        wasm: this.options.wasm,
        rhythm: this.options.builds ?? usualBuilds,
        onProblem: (problem) => this.say(problem),
      }),
      counted: noMetrics(),
      activeSessionId: before?.activeSessionId,
    };
    if (project.isBehind) {
      open.building.start((error) => this.say({ where: 'vault', message: messageOf(error) }));
      void open.building.finish().then(
        () => this.begin(open),
        () => undefined,
      );
    } else {
      await open.building.finish();
      this.begin(open);
    }
    return open;
  }

  /** What comes once the index knows what is in the vault. */
  private begin(open: Open): void {
    const { request, project, watch } = open;
    open.activeSessionId ??= activeSession(project.store.index, request, project)?.id;
    this.changed(open);
    if (watch) void this.news(open);
  }

  private building({ store }: Project, ingest: Ingest, rows: readonly SessionSummary[]): Building {
    return new Building({
      rows,
      total: () => store.unread(),
      build: async (signal, onBytes) => {
        await store.refresh((problem) => this.say(problem), { signal, onBytes });
        await ingest.summarizeMissing(signal);
      },
      onProgress: (progress) => this.options.events.building?.(progress),
    });
  }

  private persist(folder: string, project: Project, open: () => Open): Persistence {
    return new Persistence(
      folder,
      project.store.index,
      () => open().activeSessionId,
      (problem) => this.say(problem),
      () => open().building.isDone,
    );
  }

  private watch(
    settings: EngineSettings,
    ingest: Ingest,
    vaultFolders: readonly string[],
    onChange: () => void,
  ): FolderWatch | undefined {
    if (settings.pollMs === 0) return undefined;
    const packs = vaultFolders.map((folder) => path.join(folder, 'packs'));
    const folders = () => [...ingest.watchedFolders(), ...packs];
    return new FolderWatch(folders, onChange, settings.pollMs);
  }

  /** Looks at what agents and other processes wrote. */
  private async news(open: Open): Promise<void> {
    if (!open.building.isDone) return;
    try {
      await this.refresh(open);
      const isReading = open.request.trusted && !open.project.store.readOnly;
      if (isReading && !open.ingest.isPaused) await this.scan(open);
    } catch (error) {
      this.say({ where: 'scan', message: messageOf(error) });
    }
  }

  private async refresh(open: Open): Promise<void> {
    const news = await open.project.store.refresh((problem) => this.say(problem));
    if (!news) return;
    await open.ingest.summarizeMissing();
    this.changed(open);
  }

  private async scan(open: Open): Promise<ScanReport> {
    const report = await open.ingest.scan();
    for (const problem of report.problems) this.say(problem);
    if (report.recordsAdded > 0) this.changed(open);
    return report;
  }

  /** Says a problem once; a poll meets it again each time. A scan that the closing interrupts fails for that. */
  private say(problem: Problem): void {
    if (this.closed) return;
    const key = `${problem.where}\n${problem.message}`;
    if (this.said.has(key)) return;
    this.said.add(key);
    void this.told(problem).then((told) => this.options.events.problem(told));
  }

  private changed(open: Open): void {
    open.persistence?.changed();
    open.search.changed();
    this.options.events.changed();
  }

  private session(open: Open, sessionId: string): SessionSummary {
    const session = open.project.store.index.session(sessionId);
    if (session) return session;
    throw new ExpectedError('sessionMissing', 'There is no session {0} in this project.', [
      sessionId,
    ]);
  }

  /** The project once its index knows what is in the vault. */
  private async opened(): Promise<Open> {
    const open = await this.openedSoFar();
    await open.building.finish();
    return open;
  }

  private async openedSoFar(): Promise<Open> {
    if (!this.opening) throw new Error('open() comes first');
    return this.opening;
  }

  private async writable(): Promise<Open> {
    const open = await this.opened();
    if (open.request.trusted) return open;
    throw new ExpectedError('untrusted', 'Keepthread saves nothing in restricted mode.', [], {
      next: 'Trust this workspace to save its sessions.',
    });
  }

  private async store() {
    return (await this.opened()).project.store;
  }
}
