import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { captureChanges } from '../changes/capture.js';
import type {
  Capture,
  DraftText,
  EngineSettings,
  Problem,
  SaveRequest,
  SaveResult,
} from '../core/engine.js';
import type { Changes, RepositoryChanges } from '../core/model/changes.js';
import type { Draft } from '../core/model/editors.js';
import type { Snapshot } from '../core/model/snapshot.js';
import type { ThreadSummary } from '../core/model/thread.js';
import {
  changedPaths,
  composeSnapshot,
  tabsOf,
  withDrafts,
  type SnapshotParts,
} from './snapshots.js';
import type { Contents, Store } from './store.js';

export interface SaveContext {
  readonly store: Store;
  readonly settings: EngineSettings;
  /** Absolute paths of the window's folders on this machine. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
  /** Files and entries of the index that are about to be replaced, by URI of their repository's root. */
  readonly replaced?:
    ReadonlyMap<string, Pick<RepositoryChanges, 'replaced' | 'restaged'>> | undefined;
}

/**
 * Takes one snapshot: texts first, then parts, then the snapshot that names them, so that an
 * acknowledged snapshot is always whole.
 */
export async function saveSnapshot(
  context: SaveContext,
  capture: Capture,
  request: SaveRequest,
  threads: readonly ThreadSummary[],
): Promise<SaveResult> {
  const { store } = context;
  const { lost } = store;
  const before = await newest(store, request.sessionId);
  const { parts, hashes } = await keepAll(context, request.sessionId, capture, threads);
  const snapshot = composeSnapshot({ request, at: Date.now(), parts, hashes, threads, before });
  const problems = problemsOf(parts.changes);
  if (!snapshot) {
    const snapshotId = before?.snapshot.id ?? '';
    return { sessionId: request.sessionId, snapshotId, stored: false, problems };
  }
  await store.appendSnapshot(snapshot);
  if ((await store.countLost()) > lost) {
    // Somebody has had something forgotten, and could not know yet that this snapshot names some of it.
    await store.refresh(() => undefined);
    await keepAll(context, request.sessionId, capture, threads);
  }
  store.index.describeSnapshot(snapshot.id, {
    tabs: tabsOf(parts.editors).map((tab) => tab.label),
    changes: [...changedPaths(parts.changes)],
  });
  return { sessionId: request.sessionId, snapshotId: snapshot.id, stored: true, problems };
}

/** Undefined also when it cannot be read: damage to what was must not keep what is from being saved. */
async function newest(store: Store, sessionId: string) {
  const [summary] = store.index.snapshots(sessionId, 1);
  if (!summary) return undefined;
  try {
    const { snapshot, editors, changes } = await store.readSnapshot(summary.id);
    return { snapshot, editors, changes };
  } catch {
    return undefined;
  }
}

/** Puts into the vault all that a snapshot names. */
async function keepAll(
  context: SaveContext,
  sessionId: string,
  capture: Capture,
  threads: readonly ThreadSummary[],
): Promise<{ readonly parts: SnapshotParts; readonly hashes: Snapshot['parts'] }> {
  const contents = context.store.contentsOf(sessionId);
  const changes = withReplaced(await readChanges(context, contents), context.replaced);
  const drafts = await Promise.all(capture.drafts.map((draft) => keepDraft(contents, draft)));
  const parts: SnapshotParts = {
    editors: withDrafts(capture.editors, drafts),
    workbench: capture.workbench,
    changes,
    environment: { ...capture.environment, agents: agentVersions(threads) },
  };
  return { parts, hashes: await keepParts(contents, parts) };
}

async function readChanges(context: SaveContext, contents: Contents): Promise<Changes | undefined> {
  if (!context.trusted || context.folders.length === 0) return undefined;
  return captureChanges(context.folders, {
    maxFileBytes: context.settings.maxFileBytes,
    maxFiles: context.settings.maxFiles,
    putBlob: (bytes) => contents.putBlob(bytes),
  });
}

function withReplaced(
  changes: Changes | undefined,
  replaced: SaveContext['replaced'],
): Changes | undefined {
  if (replaced === undefined) return changes;
  const repositories = changes?.repositories ?? [];
  const known = new Set(repositories.map(({ root }) => root));
  const others = [...replaced.keys()].filter((root) => !known.has(root));
  return {
    repositories: [
      ...repositories,
      ...others.map((root) => ({ root, files: [], untracked: [], problems: [] })),
    ].map((repository) => {
      return { ...repository, ...replaced.get(repository.root) };
    }),
  };
}

const problemsOf = (changes: Changes | undefined): readonly Problem[] =>
  (changes?.repositories ?? []).flatMap(({ root, problems }) =>
    problems.map((message) => ({ where: root, message })),
  );

async function keepDraft(contents: Contents, draft: DraftText): Promise<Draft> {
  const { place, untitled, languageId } = draft;
  // As JSON: UTF-8 has no form for half of a surrogate pair, and an editor may hold one.
  const text = await contents.putJson(draft.text);
  return {
    place,
    untitled,
    languageId,
    text,
    disk: untitled ? undefined : await diskHash(place.uri),
  };
}

/** SHA-256 of the file that a draft stands over: a restore compares, and never covers newer text. */
async function diskHash(uri: string): Promise<string | undefined> {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return createHash('sha256')
      .update(await readFile(fileURLToPath(uri)))
      .digest('hex');
  } catch {
    return undefined;
  }
}

async function keepParts(contents: Contents, parts: SnapshotParts): Promise<Snapshot['parts']> {
  const keep = (value: unknown): Promise<string> | undefined =>
    value === undefined ? undefined : contents.putJson(value);
  const [editors, workbench, changes, environment] = await Promise.all([
    keep(parts.editors),
    keep(parts.workbench),
    keep(parts.changes),
    keep(parts.environment),
  ]);
  return { editors, workbench, changes, environment };
}

function agentVersions(threads: readonly ThreadSummary[]): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const { agent, version } of threads) {
    if (version !== undefined) versions[agent] ??= version;
  }
  return versions;
}
