import { messageOf } from '../core/errors.js';
import type { FindResult, Source, SourceQuery } from './source.js';

/** Where to look for agents' conversations. */
export interface StoreScope {
  /** Absolute paths; with `everywhere` those that are known otherwise, see {@link SourceQuery}. */
  readonly folders: readonly string[];
  readonly everywhere: boolean;
  /** Homes besides each agent's own, by agent. */
  readonly homes: Readonly<Record<string, readonly string[]>>;
  readonly env: SourceQuery['env'];
  readonly userHome: string;
}

/** What one agent's stores hold. */
export interface StoreFound extends FindResult {
  readonly source: Source;
}

export const queryOf = (
  { folders, everywhere, homes, env, userHome }: StoreScope,
  agent: string,
): SourceQuery => ({ folders, everywhere, homes: homes[agent] ?? [], env, userHome });

/**
 * Finds threads in the stores of all the agents; one agent's broken store does not hide the others. A
 * search everywhere asks agents whose stores know a folder only by its hash, or lie in it, once more
 * about the folders that the others name.
 *
 * @param onLook is told each agent before its stores are looked at
 */
export async function findInStores(
  sources: readonly Source[],
  scope: StoreScope,
  onLook: (source: Source) => void = () => undefined,
  signal?: AbortSignal,
): Promise<readonly StoreFound[]> {
  const first = sources.filter(({ needsFolders }) => needsFolders !== true);
  const found = new Map<Source, StoreFound>();
  const folders = new Set(scope.folders);
  const look = async (source: Source, known: readonly string[]): Promise<void> => {
    signal?.throwIfAborted();
    onLook(source);
    const result = await findIn(source, { ...scope, folders: known });
    found.set(source, result);
    for (const { cwd } of result.threads) if (cwd !== undefined) folders.add(cwd);
  };
  for (const source of first) await look(source, scope.folders);
  const known = scope.everywhere ? [...folders] : scope.folders;
  for (const source of sources) if (!found.has(source)) await look(source, known);
  return sources.flatMap((source) => found.get(source) ?? []);
}

async function findIn(source: Source, scope: StoreScope): Promise<StoreFound> {
  try {
    return { source, ...(await source.find(queryOf(scope, source.agent))) };
  } catch (error) {
    const problem = { where: source.name, message: messageOf(error) };
    return { source, threads: [], filesLookedAt: 0, problems: [problem] };
  }
}
