import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { meetsAgent, meetsBranch, meetsSession } from '../../core/search/filters.js';
import type { SearchFilters } from '../../core/search/types.js';
import { splitThreadId } from '../../core/model/ids.js';
import type { SearchFacts } from '../../vault/search/facts.js';

/** What is known of a conversation besides its rows. */
export interface ThreadContext {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly sessionIds: readonly string[];
}

/** Which conversations a query is about. */
export class Scope {
  private readonly contexts = new Map<string, ThreadContext | undefined>();
  private readonly folders: readonly string[];

  constructor(
    private readonly facts: SearchFacts,
    private readonly filters: SearchFilters,
    folders: readonly string[],
    /** What images and the tail know of a conversation that has no summary. */
    private readonly otherwise: (threadId: string) => Partial<ThreadContext>,
  ) {
    this.folders = folders.map(pathOf);
  }

  /** Undefined for a conversation that the query is not about, and for one that is not there any more. */
  context(threadId: string): ThreadContext | undefined {
    if (!this.contexts.has(threadId)) this.contexts.set(threadId, this.find(threadId));
    return this.contexts.get(threadId);
  }

  /** Whether a folder, by path or URI, is one of those that the query is about. */
  holds(folder: string | undefined): boolean {
    if (this.filters.in !== 'folder') return true;
    if (folder === undefined) return false;
    const path = pathOf(folder);
    return this.folders.some((one) => path === one || path.startsWith(one + sep));
  }

  private find(threadId: string): ThreadContext | undefined {
    const thread = this.facts.threads.get(threadId);
    if (!thread) return undefined;
    const other = this.otherwise(threadId);
    const { agent } = splitThreadId(threadId);
    const sessionIds = this.facts.sessionsOf.get(threadId) ?? [];
    const cwd = thread.cwd ?? other.cwd;
    const branch = thread.branch ?? other.branch;
    const isMeant =
      meetsAgent(this.filters, agent) &&
      meetsSession(this.filters, sessionIds) &&
      meetsBranch(this.filters, branch === undefined ? [] : [branch]) &&
      this.holds(cwd);
    if (!isMeant) return undefined;
    return {
      id: threadId,
      agent,
      title: thread.title ?? other.title ?? '',
      cwd,
      branch,
      sessionIds,
    };
  }
}

const pathOf = (folder: string): string => {
  const path = folder.startsWith('file:') ? fileURLToPath(folder) : folder;
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
};
