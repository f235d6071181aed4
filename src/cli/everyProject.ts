import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Clock } from '../core/clock.js';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { ThreadSummary } from '../core/model/thread.js';
import { keptThreadsOf, noKeptThreads, type KeptThreads } from '../library/keptThreads.js';
import { Store } from '../library/store.js';
import type { Registered } from '../vault/projectFile.js';
import { projectFile, readProjects } from '../vault/projectFile.js';
import { SessionIndex } from '../vault/sessionIndex.js';
import { openVault } from '../vault/vault.js';
import { wasmPath } from '../agents/sqlite/wasm.js';

/** All sessions below one root, of every project. Only reads. */
export interface EveryProject {
  readonly projects: number;
  readonly problems: readonly Problem[];
  /** Newest activity first. */
  sessions(): readonly SessionSummary[];
  /** Of which only what was not collected yet is known. */
  deletedSessions(): readonly SessionSummary[];
  /** Newest first. */
  snapshots(sessionId: string): readonly SnapshotSummary[];
  /** Newest activity first. */
  threads(sessionId: string): Promise<readonly ThreadSummary[]>;
  readonly kept: KeptThreads;
  /** Undefined where there is no project. */
  readonly store: Store | undefined;
  /** Folders on this machine that the projects were seen in. */
  readonly folders: readonly string[];
  close(): Promise<void>;
}

/** @throws ExpectedError `unreadable` when the root cannot be looked into; a missing one has no projects. */
export async function openEveryProject(
  root: string,
  isMeant: (project: Registered) => boolean = () => true,
): Promise<EveryProject> {
  const registered = await readProjects(root).catch((cause: unknown) => {
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [root, messageOf(cause)], {
      cause,
      next: 'Choose another folder with --store.',
    });
  });
  const projects = registered.filter(isMeant);
  const { index } = await SessionIndex.open({ file: undefined, wasm: wasmPath() });
  const clock = new Clock();
  const [first, ...others] = await Promise.all(
    projects.map(({ key }) => openVault({ folder: dirname(projectFile(root, key)), clock })),
  );
  const problems: Problem[] = [];
  const store = first && new Store([first, ...others], index);
  await store?.refresh((problem) => problems.push(problem));
  const kept = store ? keptThreadsOf(store) : noKeptThreads;
  return {
    projects: projects.length,
    problems,
    sessions: () => index.sessions(),
    deletedSessions: () =>
      [...index.deletedSessions().keys()].flatMap((id) => index.session(id) ?? []),
    snapshots: (sessionId) => index.snapshots(sessionId),
    threads: async (sessionId) => {
      const rows = index
        .threads(sessionId)
        .map(async (row) => ({ ...row, ...(await kept.summary(row.id)) }));
      return (await Promise.all(rows)).sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0));
    },
    kept,
    store,
    folders: projects.flatMap((project) =>
      project.state === 'known' ? project.identities.folders.flatMap(({ uri }) => pathOf(uri)) : [],
    ),
    close: async () => store?.close(),
  };
}

function pathOf(uri: string): readonly string[] {
  try {
    return uri.startsWith('file:') ? [fileURLToPath(uri)] : [];
  } catch {
    return [];
  }
}
