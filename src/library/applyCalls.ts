import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileUri } from '../changes/fileUri.js';
import { writeIndex, type IndexWrite } from '../changes/apply/indexEntries.js';
import { writeFiles, type FileWrite } from '../changes/apply/writeFiles.js';
import type { ApplyEngine, ApplyReport } from '../core/apply/types.js';
import type { Capture } from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import type { Replaced, Restaged } from '../core/model/changes.js';
import type { HandoffAccess } from './handoffCalls.js';
import type { JobControl, Jobs } from './jobs.js';
import type { Open } from './open.js';
import { fetchMissing, prepareSession, type PlanContext } from './planSession.js';
import { saveSnapshot } from './snapshotSaver.js';
import type { Contents } from './store.js';
import { undoApply } from './undoApply.js';

/** The engine's calls by which a session's changes are laid on files here. */
export function applyCalls(
  { writable, changed }: HandoffAccess,
  jobs: Jobs,
): Pick<ApplyEngine, keyof ApplyEngine> {
  const contextOf = ({ project }: Open, control: JobControl): PlanContext => ({
    store: project.store,
    folders: project.folders,
    ...control,
  });
  return {
    planApply: async (request) => {
      const open = await writable();
      return jobs.run(request.job, async (control) => {
        const prepared = await prepareSession(contextOf(open, control), request);
        await prepared.close();
        return prepared.plan;
      });
    },
    applyChanges: async (request, capture) => {
      const open = await writable();
      const report = await jobs.run(request.job, (control) =>
        applyNow(open, contextOf(open, control), request, capture),
      );
      if (report.undo) changed(open);
      return report;
    },
    undoApply: async (snapshotId) => undoApply((await writable()).project.store, snapshotId),
    fetchCommit: async (request) => {
      const open = await writable();
      return jobs.run(request.job, (control) => fetchMissing(contextOf(open, control), request));
    },
  };
}

async function applyNow(
  open: Open,
  context: PlanContext,
  request: Parameters<ApplyEngine['applyChanges']>[0],
  capture: Capture,
): Promise<ApplyReport> {
  const work = await prepareSession(context, request);
  try {
    const { plan } = work;
    if (request.expect !== undefined && request.expect !== plan.token) throw planChanged();
    if (plan.state !== 'ready') return { plan };
    const writes: FileWrite[] = [];
    const staged: IndexWrite[] = [];
    for (const prepared of work.prepared) {
      writes.push(...(await prepared.writes()));
      staged.push(...(await prepared.indexWrites(request.staged === true)));
    }
    context.signal.throwIfAborted();
    const undo = await keepBefore(open, request, capture, writes, staged);
    await writeFiles(writes, () => writeIndex(staged));
    return { plan, undo };
  } finally {
    await work.close();
  }
}

const planChanged = (): ExpectedError =>
  new ExpectedError('planChanged', 'Files here have changed since the plan was shown.', [], {
    next: 'Look at the plan again.',
  });

/** Keeps what will be replaced, byte by byte, in a snapshot: before anything is. */
async function keepBefore(
  { project, request, maintenance }: Open,
  { keepIn, label }: Parameters<ApplyEngine['applyChanges']>[0],
  capture: Capture,
  writes: readonly FileWrite[],
  staged: readonly IndexWrite[],
): Promise<{ readonly sessionId: string; readonly snapshotId: string }> {
  const { store, folders } = project;
  const contents = store.contentsOf(keepIn);
  const replaced = new Map<string, { replaced: Replaced[]; restaged: Restaged[] }>();
  const of = (root: string): { replaced: Replaced[]; restaged: Restaged[] } => {
    const uri = fileUri(root);
    const found = replaced.get(uri) ?? { replaced: [], restaged: [] };
    replaced.set(uri, found);
    return found;
  };
  for (const write of writes) of(write.root).replaced.push(await replacedBy(contents, write));
  for (const write of staged) of(write.root).restaged.push(await restagedBy(contents, write));
  const { settings, trusted } = request;
  const { snapshotId } = await saveSnapshot(
    { store, settings, folders, trusted, replaced },
    capture,
    { sessionId: keepIn, reason: 'beforeRestore', label },
    store.index.threads(keepIn),
  );
  maintenance?.saved();
  return { sessionId: keepIn, snapshotId };
}

async function replacedBy(contents: Contents, write: FileWrite): Promise<Replaced> {
  const { root, path, before, after } = write;
  const becomes = after?.hash;
  if (before === undefined) return { path, becomes };
  const bytes = await readFile(join(root, path));
  const content = await contents.putBlob(bytes);
  if (content !== before.hash) throw planChanged();
  return { path, content, mode: before.mode, becomes };
}

/** Git drops contents that nothing names any more, so the vault keeps what the index had. */
async function restagedBy(
  contents: Contents,
  { path, before, after, read }: IndexWrite,
): Promise<Restaged> {
  const kept: Restaged['before'] = [];
  for (const entry of before) {
    kept.push({ ...entry, content: await contents.putBlob(await read(entry.object)) });
  }
  return { path, before: kept, becomes: [...after] };
}
