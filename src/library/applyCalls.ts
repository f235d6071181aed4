import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileUri } from '../changes/fileUri.js';
import {
  fileState,
  writeFiles,
  type FileState,
  type FileWrite,
} from '../changes/apply/writeFiles.js';
import { isSafePath } from '../core/apply/paths.js';
import type { ApplyEngine, ApplyReport, UndoReport } from '../core/apply/types.js';
import type { Capture } from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import type { Replaced, RepositoryChanges } from '../core/model/changes.js';
import type { HandoffAccess } from './handoffCalls.js';
import type { JobControl, Jobs } from './jobs.js';
import type { Open } from './open.js';
import { fetchMissing, prepareSession, type PlanContext } from './planSession.js';
import { saveSnapshot } from './snapshotSaver.js';
import type { Contents, Store } from './store.js';

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
    undoApply: async (snapshotId) => undoNow((await writable()).project.store, snapshotId),
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
    for (const prepared of work.prepared) writes.push(...(await prepared.writes()));
    context.signal.throwIfAborted();
    const undo = await keepBefore(open, request, capture, writes);
    await writeFiles(writes);
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
): Promise<{ readonly sessionId: string; readonly snapshotId: string }> {
  const { store, folders } = project;
  const replaced = new Map<string, Replaced[]>();
  for (const write of writes) {
    const root = fileUri(write.root);
    const files = replaced.get(root) ?? [];
    files.push(await replacedBy(store.contentsOf(keepIn), write));
    replaced.set(root, files);
  }
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

/** @throws ExpectedError `snapshotMissing`, `nothingReplaced`, `changedSince`, and as {@link writeFiles} */
async function undoNow(store: Store, snapshotId: string): Promise<UndoReport> {
  const { changes } = await store.readSnapshot(snapshotId);
  const replaced = (changes?.repositories ?? []).filter((one) => one.replaced !== undefined);
  if (replaced.length === 0) {
    throw new ExpectedError('nothingReplaced', 'No files were replaced after this snapshot.');
  }
  const writes: FileWrite[] = [];
  const same: string[] = [];
  const changed: string[] = [];
  for (const repository of replaced) {
    const root = fileURLToPath(repository.root);
    for (const file of filesOf(repository)) {
      const now = await fileState(root, file.path);
      const path = join(root, file.path);
      if (now?.hash === file.content) same.push(path);
      else if (now?.hash !== file.becomes) changed.push(path);
      else writes.push(undoing(store, root, file, now));
    }
  }
  if (changed.length > 0) {
    throw new ExpectedError(
      'changedSince',
      '{0} files were changed since, so nothing was put back: {1}',
      [changed.length, changed.slice(0, 10).join(', ')],
      { next: 'Save or commit what you changed, or put them back one by one from the snapshot.' },
    );
  }
  await writeFiles(writes);
  return { restored: writes.map(({ root, path }) => join(root, path)), same };
}

const filesOf = ({ replaced = [] }: RepositoryChanges): readonly Replaced[] =>
  replaced.filter(({ path }) => isSafePath(path));

function undoing(
  store: Store,
  root: string,
  { path, content, mode = 0o644 }: Replaced,
  now: FileState | undefined,
): FileWrite {
  const after = content === undefined ? undefined : { hash: content, mode };
  const backup = now && readFile(join(root, path));
  const read = async (which: 'before' | 'after'): Promise<Uint8Array> =>
    which === 'after' ? store.readBlob(content ?? '') : ((await backup) ?? new Uint8Array());
  return { root, path, before: now, after, read };
}
