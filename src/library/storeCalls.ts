import type { Engine } from '../core/engine.js';
import { withRestore } from '../core/metrics.js';
import { automaticBackups } from '../vault/backup.js';
import { bringBack } from '../vault/bringBack.js';
import { collectProject } from '../vault/maintain.js';
import { storeStats } from '../vault/stats.js';
import { countsOf, forgetInStore, previewForgetInStore } from './forgetting.js';
import { takeBackForgetting } from './forgottenThreads.js';
import type { Jobs } from './jobs.js';
import { keepCounts, type Open } from './open.js';
import { attach, detach, listProjects } from './projects.js';

export interface StoreAccess {
  readonly wasm: () => string;
  readonly opened: () => Promise<Open>;
  /** The same, though its index may not know yet what is in the vault. */
  readonly openedSoFar: () => Promise<Open>;
  /** As `opened`; rejects in restricted mode. */
  readonly writable: () => Promise<Open>;
  /** Takes in what was taken out of the vault. */
  readonly refresh: (open: Open) => Promise<void>;
}

export type StoreCalls = Pick<
  Engine,
  | 'statistics'
  | 'noteRestore'
  | 'previewCleanup'
  | 'bringBack'
  | 'previewForget'
  | 'forget'
  | 'listForgotten'
  | 'takeBackForgetting'
  | 'listProjects'
  | 'attach'
  | 'detach'
>;

/** The engine's calls that are about the whole store and not about sessions. */
export const storeCalls = (
  { wasm, opened, openedSoFar, writable, refresh }: StoreAccess,
  jobs: Jobs,
): StoreCalls => ({
  statistics: async (name) => {
    const open = await opened();
    await keepCounts(open);
    const { project, request } = open;
    return jobs.run(name, (job) =>
      storeStats(request.store, wasm(), { only: project.key, ...job }),
    );
  },
  noteRestore: async (end) => {
    // A window that has just come back is not to wait for its list.
    const open = await openedSoFar();
    open.counted = withRestore(open.counted, end);
    await keepCounts(open);
  },
  previewCleanup: async (name) => {
    const { project } = await opened();
    const [folder = ''] = project.vaultFolders;
    const options = { folder, wasm: wasm(), now: Date.now(), dryRun: true };
    const { deadSessions, deadSnapshots, liveBytes, goingBytes } = await jobs.run(name, (job) =>
      collectProject(options, { waitMs: 0, ...job }),
    );
    return { deadSessions, deadSnapshots, liveBytes, goingBytes };
  },
  bringBack: async (name) => {
    const open = await writable();
    const { store } = open.request;
    const brought = await jobs.run(name, ({ signal }) =>
      bringBack(store, open.project.key, automaticBackups(store), signal),
    );
    await refresh(open);
    return brought;
  },
  previewForget: async (what, name) => {
    const { store } = (await opened()).request;
    return jobs.run(name, (job) => previewForgetInStore(what, { store, wasm: wasm(), ...job }));
  },
  forget: async (what, name) => {
    const open = await writable();
    const options = { store: open.request.store, wasm: wasm() };
    const report = await jobs.run(name, (job) => forgetInStore(what, { ...options, ...job }));
    // The index of this window holds it still, and so does what was written of it.
    await refresh(open);
    // What this window was just reading of it; from now on it knows better.
    if (open.project.store.index.isForgottenKept()) {
      await forgetInStore(what, options);
      await refresh(open);
    }
    await open.persistence?.flush();
    return countsOf(report);
  },
  listForgotten: async () => (await opened()).project.store.index.forgotten(),
  takeBackForgetting: async (threadId, name) => {
    const open = await writable();
    const folders = open.project.vaultFolders;
    await jobs.run(name, ({ signal }) =>
      takeBackForgetting(threadId, { folders, wasm: wasm(), watch: { signal } }),
    );
    await refresh(open);
  },
  listProjects: async (name) => {
    const { request, project } = await opened();
    return jobs.run(name, (job) =>
      listProjects(request.store, wasm(), { except: project.key, ...job }),
    );
  },
  attach: async (projectKey) => attach(placeOf(await writable()), projectKey),
  detach: async () => detach(placeOf(await writable())),
});

const placeOf = ({ request, project }: Open) => ({
  store: request.store,
  folder: request.folders[0]?.uri,
  projectKey: project.key,
});
