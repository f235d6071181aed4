import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  readIndex,
  sameEntries,
  writeIndex,
  type IndexEntry,
  type IndexWrite,
} from '../changes/apply/indexEntries.js';
import {
  fileState,
  writeFiles,
  type FileState,
  type FileWrite,
} from '../changes/apply/writeFiles.js';
import { isSafePath } from '../core/apply/paths.js';
import type { UndoReport } from '../core/apply/types.js';
import { ExpectedError } from '../core/errors.js';
import type { Replaced, RepositoryChanges, Restaged } from '../core/model/changes.js';
import type { Store } from './store.js';

/**
 * Puts back the files, and what was staged of them, as they were before changes were laid on them: all or nothing.
 *
 * @throws ExpectedError `snapshotMissing`, `nothingReplaced`, `changedSince`, and as {@link writeFiles}
 */
export async function undoApply(store: Store, snapshotId: string): Promise<UndoReport> {
  const { changes } = await store.readSnapshot(snapshotId);
  const replaced = (changes?.repositories ?? []).filter((one) => one.replaced !== undefined);
  if (replaced.length === 0) {
    throw new ExpectedError('nothingReplaced', 'No files were replaced after this snapshot.');
  }
  const undo = new Undo(store);
  for (const repository of replaced) await undo.add(repository);
  const { changed, writes, same, staged } = undo;
  if (changed.length > 0) {
    throw new ExpectedError(
      'changedSince',
      '{0} files were changed since, so nothing was put back: {1}',
      [changed.length, changed.slice(0, 10).join(', ')],
      { next: 'Save or commit what you changed, or put them back one by one from the snapshot.' },
    );
  }
  await writeFiles(writes, () => writeIndex(staged));
  const pathOf = ({ root, path }: { root: string; path: string }): string => join(root, path);
  return { restored: writes.map(pathOf), same, restaged: staged.map(pathOf) };
}

/** Collects what there is to be put back, and what stands against it. */
class Undo {
  readonly writes: FileWrite[] = [];
  readonly staged: IndexWrite[] = [];
  readonly same: string[] = [];
  readonly changed: string[] = [];

  constructor(private readonly store: Store) {}

  async add({ root: uri, replaced = [], restaged = [] }: RepositoryChanges): Promise<void> {
    const root = fileURLToPath(uri);
    for (const file of replaced) if (isSafePath(file.path)) await this.addFile(root, file);
    if (restaged.length === 0) return;
    const index = await readIndex(root);
    for (const one of restaged) {
      if (isSafePath(one.path)) this.addStaged(root, one, index.get(one.path) ?? []);
    }
  }

  private async addFile(root: string, file: Replaced): Promise<void> {
    const now = await fileState(root, file.path);
    const path = join(root, file.path);
    if (now?.hash === file.content) this.same.push(path);
    else if (now?.hash !== file.becomes) this.changed.push(path);
    else this.writes.push(undoing(this.store, root, file, now));
  }

  private addStaged(
    root: string,
    { path, before, becomes }: Restaged,
    now: readonly IndexEntry[],
  ): void {
    if (sameEntries(now, before)) return;
    const whole = join(root, path);
    if (!sameEntries(now, becomes)) {
      if (!this.changed.includes(whole)) this.changed.push(whole);
      return;
    }
    const contents = new Map(before.map(({ object, content }) => [object, content]));
    const read = (object: string): Promise<Uint8Array> =>
      this.store.readBlob(contents.get(object) ?? '');
    this.staged.push({ root, path, before: now, after: before, read });
  }
}

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
