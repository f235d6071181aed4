import type { AgentId, Thread } from '../core/model/thread.js';
import type { Problem } from '../core/engine.js';
import type { Cursor } from '../core/model/records.js';

/**
 * The reader of one agent's store. It never writes, never locks and never creates a file there.
 * A source tells which threads of a folder exist (`find`), gives their records (`read`) and says what
 * records mean (`parser`, pure).
 */
export interface Source {
  readonly agent: AgentId;
  /** Name as the agent's makers write it. */
  readonly name: string;
  /** Threads that belong to the folders, from files, never from the agent's own index. */
  find(query: SourceQuery): Promise<FindResult>;
  /** What changed in a thread since the cursor. Called again until `more` is false. */
  read(found: FoundThread, cursor: Cursor | undefined, signal?: AbortSignal): Promise<ReadResult>;
  /** A new fold over a thread's records. */
  parser(nativeId: string): ThreadParser;
  /** Folders worth watching for the query; they may not exist yet. */
  watch(query: SourceQuery): readonly string[];
  /** The argv that goes on with the conversation in a terminal, if the agent has one. */
  resume?(thread: { readonly nativeId: string }): readonly string[];
}

export interface SourceQuery {
  /** Absolute paths of the workspace's folders, as given and with links resolved; empty: none. */
  readonly folders: readonly string[];
  /** Homes of the agent to look in; the source adds its own defaults when empty. */
  readonly homes: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
}

export interface FindResult {
  readonly threads: readonly FoundThread[];
  readonly filesLookedAt: number;
  readonly problems: readonly Problem[];
}

export interface FoundThread {
  readonly nativeId: string;
  /** The file that holds the conversation. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly parent?: string | undefined;
}

export interface ReadResult {
  /** Records since the cursor, each the agent's own bytes without the line end. */
  readonly records: readonly Uint8Array[];
  /**
   * Set when the file was rewritten: `records` then begins a new generation, after the first
   * `reused` records of the one before.
   */
  readonly restarted?: { readonly reused: number } | undefined;
  readonly cursor: Cursor;
  readonly bytesRead: number;
  readonly more: boolean;
}

/** Folds records into a thread. Records may come in any number of calls, in order. */
export interface ThreadParser {
  push(record: Uint8Array): void;
  /** The thread as of the records so far; `turns: false` leaves the turns out and is cheap. */
  thread(options?: { readonly turns?: boolean }): Thread;
  /** Whether the agent is in the middle of a turn. */
  readonly working: boolean;
}
