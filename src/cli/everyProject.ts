import { dirname } from 'node:path';
import { sourceOf } from '../agents/registry.js';
import type { ThreadParser } from '../agents/source.js';
import { Clock } from '../core/clock.js';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { ThreadSummary } from '../core/model/thread.js';
import { summarize, ThreadFolds } from '../library/folds.js';
import { Store } from '../library/store.js';
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
  close(): Promise<void>;
}

/** @throws ExpectedError `unreadable` when the root cannot be looked into; a missing one has no projects. */
export async function openEveryProject(root: string): Promise<EveryProject> {
  const projects = await readProjects(root).catch((cause: unknown) => {
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [root, messageOf(cause)], {
      cause,
      next: 'Choose another folder with --store.',
    });
  });
  const { index } = await SessionIndex.open({ file: undefined, wasm: wasmPath() });
  const clock = new Clock();
  const [first, ...others] = await Promise.all(
    projects.map(({ key }) => openVault({ folder: dirname(projectFile(root, key)), clock })),
  );
  const problems: Problem[] = [];
  const store = first && new Store([first, ...others], index);
  await store?.refresh((problem) => problems.push(problem));
  return {
    projects: projects.length,
    problems,
    sessions: () => index.sessions(),
    deletedSessions: () =>
      [...index.deletedSessions().keys()].flatMap((id) => index.session(id) ?? []),
    snapshots: (sessionId) => index.snapshots(sessionId),
    threads: async (sessionId) => (store ? summarizeThreads(store, sessionId) : []),
    close: async () => store?.close(),
  };
}

/** What the vault's records mean; an index that was just built does not know it. */
async function summarizeThreads(
  store: Store,
  sessionId: string,
): Promise<readonly ThreadSummary[]> {
  const folds = new ThreadFolds(sourceOf, (id, generation, records) =>
    store.records(id, generation, records),
  );
  const threads: ThreadSummary[] = [];
  for (const thread of store.index.threads(sessionId)) {
    const parser = await folds.upTo(thread.id, thread.generation, thread.records);
    threads.push(parser ? summaryOf(thread, parser, store.index.cursor(thread.id)?.cwd) : thread);
  }
  return threads.sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0));
}

function summaryOf(
  thread: ThreadSummary,
  parser: ThreadParser,
  cwdInStore: string | undefined,
): ThreadSummary {
  const { id, generation, records, bytes, state } = thread;
  const at = { generation, records, bytes, state, working: parser.working };
  const parsed = parser.thread({ turns: false });
  return summarize(id, { ...parsed, cwd: parsed.cwd ?? cwdInStore }, at);
}
