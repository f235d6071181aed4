import type { StoreFound } from '../agents/everywhere.js';
import { foldFile } from '../agents/foldFile.js';
import { isInside } from '../agents/folders.js';
import { sourceOf } from '../agents/registry.js';
import type { FoundThread, ListedThread, Source } from '../agents/source.js';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { threadId } from '../core/model/ids.js';
import { summarize } from './folds.js';
import type { Counted, KeptCounts } from './keptCounts.js';
import type { KeptThread, KeptThreads } from './keptThreads.js';
import { exists, isThere } from './threadPresence.js';

/**
 * The first that is true of a thread: `swept`: the agent has it no more, only the vault does; `damaged`:
 * something in it cannot be read; `orphaned`: its folder is unknown or gone, or the conversation that
 * started it as a subagent is; `live`: none of these.
 */
export type ThreadState = 'live' | 'swept' | 'orphaned' | 'damaged';

/** A conversation of an agent's store, of the vault, or of both. */
export interface ThreadRow {
  /** `<agent>:<nativeId>` */
  readonly id: string;
  readonly agent: string;
  readonly nativeId: string;
  readonly title: string;
  /** The working folder; null: nobody knows it. */
  readonly folder: string | null;
  /** Id of the thread that started this one as a subagent. */
  readonly parent: string | null;
  /** Prompts that a person typed. */
  readonly turns: number;
  /** Answers. */
  readonly messages: number;
  /** Milliseconds since the epoch. */
  readonly updated: number | null;
  /** Size in the agent's store; of a swept one in the vault. */
  readonly bytes: number;
  readonly state: ThreadState;
  /** Whether the vault has a copy. */
  readonly kept: boolean;
  /** False: the agent's own list leaves it out, although its file is there. */
  readonly listed: boolean;
  /** Places that could not be read. */
  readonly skipped: number;
  /** Why nothing of it could be read. */
  readonly problem: string | null;
  /** Version of the agent that wrote its newest record. */
  readonly version: string | null;
  /** The file that holds it; of a swept one where it was. */
  readonly path: string | null;
}

export interface ListRequest {
  readonly stores: readonly StoreFound[];
  readonly kept: KeptThreads;
  /** Absent: threads of whatever folder. */
  readonly folders?: readonly string[] | undefined;
  /** Only this agent's. */
  readonly agent?: string | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** What earlier processes have counted. */
  readonly counts?: KeptCounts;
}

/** Most of the time of those whose counts are known goes into waiting for the disk. */
const atOnce = 16;

/** Joins what the agents' stores hold with what the vault holds; newest activity first. */
export async function listThreads(request: ListRequest): Promise<{
  readonly threads: readonly ThreadRow[];
  readonly problems: readonly Problem[];
}> {
  const { stores, kept, folders, onProgress, signal, counts } = request;
  const rows = new Map<string, ThreadRow>();
  const problems: Problem[] = [];
  const found = stores.flatMap(({ source, threads }) =>
    threads.map((thread) => ({ source, thread })),
  );
  for (let at = 0; at < found.length; at += atOnce) {
    signal?.throwIfAborted();
    onProgress?.(at, found.length);
    const some = found.slice(at, at + atOnce);
    const made = await Promise.all(
      some.map(({ source, thread }) => rowOf(source, thread, kept, counts)),
    );
    for (const row of made) {
      if (row.problem !== null) problems.push({ where: row.path ?? row.id, message: row.problem });
      rows.set(row.id, row);
    }
  }
  for (const thread of kept.list()) {
    signal?.throwIfAborted();
    if (rows.has(thread.id) || (request.agent ?? thread.agent) !== thread.agent) continue;
    const row = await sweptRow(thread, kept, folders);
    if (row !== undefined) rows.set(row.id, row);
  }
  const placed = await Promise.all(
    [...rows.values()].map(async (row) => ({ ...row, state: await stateOf(row, rows) })),
  );
  return { threads: placed.toSorted(newestFirst), problems };
}

const newestFirst = (one: ThreadRow, other: ThreadRow): number =>
  (other.updated ?? 0) - (one.updated ?? 0) || (one.id < other.id ? -1 : 1);

async function rowOf(
  source: Source,
  found: ListedThread,
  kept: KeptThreads,
  counts: KeptCounts | undefined,
): Promise<ThreadRow> {
  const { agent } = source;
  const { nativeId, path, bytes } = found;
  const id = threadId(agent, nativeId);
  const copy = kept.get(id);
  const parent = found.parent === undefined ? null : threadId(agent, found.parent);
  const where = {
    path,
    bytes,
    parent,
    kept: copy !== undefined,
    listed: found.isUnlisted !== true,
  };
  const named = { id, agent, nativeId, title: found.title ?? nativeId };
  const state = 'live' as const;
  try {
    const count = () => countedIn(source, found, id);
    const summary = await (counts?.of(source, found, count) ?? count());
    // A file that was cut or rewritten may hold less than what the vault kept of it (promise 2).
    const isShorter = copy !== undefined && bytes < copy.bytesRead;
    const full = isShorter ? fuller(summary, await kept.summary(id)) : summary;
    return { ...rowFrom(id, full, found), ...where, state, problem: null };
  } catch (error) {
    const folder = found.cwd ?? found.folder ?? null;
    const empty = { turns: 0, messages: 0, skipped: 0, version: null };
    const problem = messageOf(error);
    return { ...named, folder, ...empty, ...where, updated: found.modifiedAt, state, problem };
  }
}

async function countedIn(source: Source, found: FoundThread, id: string): Promise<Counted> {
  const parser = await foldFile(source, found, { turns: false });
  const at = { generation: 0, records: 0, bytes: found.bytes, working: parser.working };
  const summary = summarize(id, parser.thread({ turns: false }), { ...at, state: 'live' });
  const { agent, nativeId, title, cwd, version, turns, messages, lastAt, skipped } = summary;
  return { agent, nativeId, title, cwd, version, turns, messages, lastAt, skipped };
}

const fuller = (now: Counted, kept: Counted | undefined): Counted =>
  kept !== undefined && kept.turns + kept.messages > now.turns + now.messages ? kept : now;

/** Undefined for a thread that the agent still has, in another folder than those asked for. */
async function sweptRow(
  thread: KeptThread,
  kept: KeptThreads,
  folders: readonly string[] | undefined,
): Promise<ThreadRow | undefined> {
  const { id, path } = thread;
  const source = sourceOf(thread.agent);
  const isElsewhere =
    source !== undefined && path !== undefined && (await isThere(source, id, path));
  if (isElsewhere && folders !== undefined) return undefined;
  const summary = await kept.summary(id);
  if (summary === undefined) return undefined;
  const { cwd } = summary;
  if (folders !== undefined && (cwd === undefined || !isInside(cwd, folders))) return undefined;
  return {
    ...rowFrom(id, summary, undefined),
    parent: summary.parent ?? null,
    bytes: summary.bytes,
    state: isElsewhere ? 'live' : 'swept',
    kept: true,
    listed: true,
    problem: null,
    path: path ?? null,
  };
}

function rowFrom(id: string, summary: Counted, found: ListedThread | undefined) {
  const { agent, nativeId, title, turns, messages, skipped, version, lastAt } = summary;
  return {
    id,
    agent,
    nativeId: found?.nativeId ?? nativeId,
    title: title === nativeId ? (found?.title ?? title) : title,
    folder: summary.cwd ?? found?.cwd ?? found?.folder ?? null,
    turns,
    messages,
    updated: lastAt ?? found?.modifiedAt ?? null,
    skipped,
    version: version ?? null,
  };
}

async function stateOf(row: ThreadRow, all: ReadonlyMap<string, ThreadRow>): Promise<ThreadState> {
  if (row.state === 'swept') return 'swept';
  if (row.problem !== null || row.skipped > 0) return 'damaged';
  const isLost = row.folder === null || !(await exists(row.folder));
  return isLost || (row.parent !== null && !all.has(row.parent)) ? 'orphaned' : 'live';
}
