import type { AgentId, Thread } from '../core/model/thread.js';
import type { Problem } from '../core/engine.js';
import type { Cursor } from '../core/model/records.js';
import type { Fields } from './json.js';

/**
 * The reader of one agent's store. It never writes, never locks and never creates a file there.
 * A source tells which threads of a folder exist (`find`), gives their records (`read`) and says what
 * records mean (`parser`, pure).
 */
export interface Source {
  readonly agent: AgentId;
  /** Name as the agent's makers write it. */
  readonly name: string;
  /** Its store lies in the folders, or names a thread's folder only by a hash of it. */
  readonly needsFolders?: boolean;
  /** Threads that belong to the folders, from files, never from the agent's own index. */
  find(query: SourceQuery): Promise<FindResult>;
  /** What changed in a thread since the cursor. Called again until `more` is false. */
  read(found: FoundThread, cursor: Cursor | undefined, signal?: AbortSignal): Promise<ReadResult>;
  /** How two files of one conversation become one; absent: record by record, see `mergeRecords`. */
  readonly merging?: Merging;
  /** A new fold over a thread's records; with an empty id the records themselves name the thread. */
  parser(nativeId: string, options?: ParserOptions): ThreadParser;
  /** Whether a file that begins so is one of this agent's; `head` is its first 64 KB or less. */
  recognises?(head: string): boolean;
  /** Programs made from it keep its form: what tells theirs may stand far behind the beginning. */
  readonly hasKin?: boolean;
  /**
   * For a store that keeps many conversations in one file: those of this file, of whatever folder;
   * undefined when there is no such file, or it is none of this agent's.
   */
  threadsIn?(path: string): Promise<readonly ListedThread[] | undefined>;
  /** Folders, and single files, worth watching for the query; they may not exist yet. */
  watch(query: SourceQuery): readonly string[];
  /** Where the agent may keep its conversations, whatever folder they are about; absent: what is watched. */
  places?(query: SourceQuery): readonly string[];
  /** Folders in which the agent keeps pictures that records only name; they may not exist. */
  attachments?(query: SourceQuery): readonly string[];
  /** The argv that goes on with the conversation in a terminal; undefined when this thread cannot. */
  resume?(thread: {
    readonly nativeId: string;
    readonly parent?: string | undefined;
  }): readonly string[] | undefined;
}

export interface SourceQuery {
  /** Absolute paths of the workspace's folders, as given and with links resolved; empty: none. */
  readonly folders: readonly string[];
  /**
   * Threads of whatever folder are asked for. `folders` then are those that are known otherwise: some
   * stores name a folder only by a hash, and some lie in the folder itself.
   */
  readonly everywhere?: boolean | undefined;
  /** Homes of the agent to look in, besides its own default ones. */
  readonly homes: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
  /** Whose usual places to look in; absent: this machine's. */
  readonly platform?: NodeJS.Platform | undefined;
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
  /** Other files that hold it, fuller ones first; `bytes` and `modifiedAt` are of all of them. */
  readonly copies?: readonly FoundCopy[] | undefined;
  readonly parent?: string | undefined;
  /** The working folder, as far as finding it told. */
  readonly cwd?: string | undefined;
  /** The agent's own list leaves it out, although its file is there. Absent: listed, or there is no list. */
  readonly isUnlisted?: boolean | undefined;
}

/** Another file that holds a conversation. */
export interface FoundCopy {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export interface Merging {
  /** What makes two records the same one, however much they say; absent: their bytes do. */
  readonly idOf?: (record: Fields) => string | undefined;
  /** The files say different things about the conversation: one follows the other. */
  readonly isJoined?: boolean;
  /** Records that are edits of each other, as ones that stand for themselves. */
  readonly plain?: (records: readonly Uint8Array[]) => readonly Uint8Array[];
}

export interface ListedThread extends FoundThread {
  /** The working folder. */
  readonly folder?: string | undefined;
  readonly title?: string | undefined;
}

export interface ReadResult {
  /** Records since the cursor, each the agent's own bytes without the line end. */
  readonly records: readonly Uint8Array[];
  /** Where each record lies, where the format has lines. */
  readonly places?: readonly RecordPlace[] | undefined;
  /**
   * Set when the file was rewritten: `records` then begins a new generation, after the first
   * `reused` records of the one before.
   */
  readonly restarted?: { readonly reused: number } | undefined;
  /** Where an unfinished last line begins; it is read once it is whole. */
  readonly unfinished?: RecordPlace | undefined;
  readonly cursor: Cursor;
  readonly bytesRead: number;
  readonly more: boolean;
}

export interface ParserOptions {
  /** `false`: turns will not be asked for, so no record needs to be kept and memory stays flat. */
  readonly turns?: boolean;
  /** Image parts carry their `data`, where the records hold it. */
  readonly images?: boolean;
  /** The branch to give the turns of, by `ThreadBranch.leaf`; the active one if there is no such branch. */
  readonly leaf?: string | undefined;
}

/** Where a record lies in its file. */
export interface RecordPlace {
  /** One-based. */
  readonly line: number;
  /** Byte offset of the line's start. */
  readonly offset: number;
  /** The file ends in the middle of this line. */
  readonly cut?: boolean;
}

/** Folds records into a thread. Records may come in any number of calls, in order. */
export interface ThreadParser {
  /** Without a place, lines are counted as if each record were one line that ends with one byte. */
  push(record: Uint8Array, place?: RecordPlace): void;
  /** The thread as of the records so far; `turns: false` leaves the turns out and is cheap. */
  thread(options?: { readonly turns?: boolean }): Thread;
  /** Whether the agent is in the middle of a turn. */
  readonly working: boolean;
}
