import type { Continuation, ContinueRequest } from './model/continuation.js';
import type { ApplyEngine } from './apply/types.js';
import type { HandoffEngine } from './handoff.js';
import type { Editors, Place } from './model/editors.js';
import type {
  SessionPatch,
  SessionSummary,
  SnapshotReason,
  SnapshotSummary,
} from './model/session.js';
import type { SnapshotContent, Workbench } from './model/snapshot.js';
import type { Thread, ThreadBranch, ThreadSummary } from './model/thread.js';
import type { SearchOptions, SearchResult } from './search/types.js';
import type { Environment } from './model/workbench.js';
import type { FileChange } from './thread/changes.js';
import type { DocumentLink, DocumentTurn, PartPlace } from './thread/document.js';
import type { RedactionSettings } from './redact/settings.js';
import type {
  BroughtBack,
  Cleanup,
  ForgetCounts,
  Forgotten,
  ForgottenThread,
} from './forgetting.js';
import type { RestoreEnd } from './metrics.js';
import type { Attachment, ProjectSummary } from './projects.js';
import type { StoreStats } from './statistics.js';

/**
 * What the window and the command line ask of the sessions' engine (`library/`). It runs in a worker
 * thread behind the window and in the process itself behind the command line; all of it is
 * structured-clone data. Expected failures reject with an `ExpectedError`.
 */
export interface Engine extends HandoffEngine, ApplyEngine {
  /** Opens the project's vault; called once, first. */
  open(request: OpenRequest): Promise<OpenResult>;
  listSessions(): Promise<readonly SessionSummary[]>;
  /** Newest first. */
  listSnapshots(sessionId: string): Promise<readonly SnapshotSummary[]>;
  /** Threads of one session, or with `null` those of the project that belong to none; newest activity first. */
  listThreads(sessionId: string | null): Promise<readonly ThreadSummary[]>;
  readSnapshot(snapshotId: string): Promise<SnapshotContent>;
  /** A draft's text by SHA-256 (hex). */
  readText(hash: string): Promise<string>;
  createSession(set: SessionPatch): Promise<SessionSummary>;
  updateSession(sessionId: string, set: SessionPatch): Promise<SessionSummary>;
  /** Takes a snapshot: what the window gives, plus changes and threads that the engine reads itself. */
  save(capture: Capture, request: SaveRequest): Promise<SaveResult>;
  /** Reads what agents and other windows wrote, now. */
  scanThreads(): Promise<ScanReport>;
  /** Stops the first reading of what agents wrote, where it is. */
  pauseReading(): Promise<void>;
  /** Goes on with it. */
  resumeReading(): Promise<void>;
  /** What a thread means, all of it. */
  readThread(threadId: string): Promise<Thread>;
  /** One page of a thread as a readable document. */
  threadDocument(threadId: string, at?: ThreadAt): Promise<ThreadDocument>;
  /** What a tool call did to files; none for other calls. */
  threadChanges(at: ThreadPart): Promise<readonly FileChange[]>;
  threadImage(at: ThreadPart): Promise<ThreadImage>;
  /** Markdown without secrets, for the clipboard. */
  copyThread(request: CopyRequest): Promise<CopiedThread>;
  /** A text without secrets, for the clipboard or an agent; paths stay. Rejects with `notScanned`. */
  maskText(text: string): Promise<string>;
  /** What was said and done, by words; a query that means nothing is answered with advice. */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Says how a conversation would go on in an agent and, with `write`, writes it into that agent's store. */
  continueThread(threadId: string, request: ContinueRequest, write: boolean): Promise<Continuation>;
  /** Removes what that wrote, unless the agent has gone on with it; answers with the paths that stay. */
  undoContinue(agent: string, sessionId: string): Promise<readonly string[]>;
  storage(): Promise<StorageReport>;
  /*
   * `job` is a name of the caller's, to be told how far the work is and to cancel it; see `HandoffEngine`.
   */
  /** Makes the window's list and database again from the vault; until that is done they are as they were. */
  rebuild(job?: string): Promise<void>;
  /** Stops the making of the list, which goes on when something of the vault is needed. */
  stopBuilding(): Promise<void>;
  /** How much is stored of this project, and how saves and restores went. Reads all of it. */
  statistics(job?: string): Promise<StoreStats>;
  /** What is not needed any more of this project and will be removed in time. Only reads. */
  previewCleanup(job?: string): Promise<Cleanup>;
  /** Adds what the newest automatic backup has and the vault cannot read any more. */
  bringBack(job?: string): Promise<BroughtBack>;
  /** Counts how a restore ended. */
  noteRestore(end: RestoreEnd): Promise<void>;
  /** What {@link forget} would change in the whole store. Only reads. */
  previewForget(what: Forgotten, job?: string): Promise<ForgetCounts>;
  /**
   * Removes every byte of something from the whole store; cannot be undone. When it is cancelled, nothing has changed,
   * or it was too late for that and it ends as if it had not been.
   */
  forget(what: Forgotten, job?: string): Promise<ForgetCounts>;
  /** Conversations that are not taken in again since a person had them forgotten, oldest first. */
  listForgotten(): Promise<readonly ForgottenThread[]>;
  /** Lets one be taken in again, with its subagents, from what its agent still has of it. */
  takeBackForgetting(threadId: string, job?: string): Promise<void>;
  /** The other projects of this store that have sessions, last used first. Reads them. */
  listProjects(job?: string): Promise<readonly ProjectSummary[]>;
  /** Lets the window's first folder belong to another project; holds from the next opening on. */
  attach(projectKey: string): Promise<Attachment>;
  /** Takes {@link attach} back. */
  detach(): Promise<Attachment>;
  /** Writes what is pending and stops. */
  close(): Promise<void>;
}

export interface OpenRequest {
  /** Root of all vaults: the extension's global storage folder, or the command line's `--store`. */
  readonly store: string;
  /** Folder for `sessions.db` and `catalog.json`, private to this window; absent: kept in memory only. */
  readonly view?: string | undefined;
  /** The window's folders, in order; empty for a window without one. */
  readonly folders: readonly { readonly name: string; readonly uri: string }[];
  /** URI of the `.code-workspace` file or of the only folder; names where sessions were made. */
  readonly workspace?: string | undefined;
  /** Restricted mode: no git, no capture. */
  readonly trusted: boolean;
  /** Folders of VS Code that may hold chat sessions, beside the extension's own storage. */
  readonly chatStores: readonly string[];
  readonly settings: EngineSettings;
}

export interface EngineSettings {
  /** Untracked files above this many bytes are named, not kept. */
  readonly maxFileBytes: number;
  /** At most so many untracked files for one repository. */
  readonly maxFiles: number;
  /** Vendor-shaped secrets are masked before a transcript reaches the vault. */
  readonly redact: boolean;
  /** The user's own rules and exceptions; absent: none. */
  readonly redaction?: RedactionSettings | undefined;
  /** Homes to look in besides each agent's default, by agent. */
  readonly agentHomes: Readonly<Record<string, readonly string[]>>;
  /** Time between looks at the agents' stores, in milliseconds; 0: only when asked. */
  readonly pollMs: number;
  /** Backs the store up into itself now and then; absent: yes. */
  readonly backups?: boolean | undefined;
  /** A vault that comes near this size is said to; nothing is removed for it. Absent: any size. */
  readonly quotaBytes?: number | undefined;
}

export interface OpenResult {
  readonly projectKey: string;
  /** Whether a person attached the window's first folder to this project. */
  readonly attached: boolean;
  /** URIs under which sessions are of this folder: the window's own, and those that its folders had before. */
  readonly here: readonly string[];
  /** The session that this window was in when it was last open, if it was not finished. */
  readonly activeSessionId?: string | undefined;
  /** A vault written by a newer version is read, never written. */
  readonly readOnly: boolean;
  readonly problems: readonly Problem[];
}

/** What the window gives to a snapshot. Drafts carry their text; the engine stores it by hash. */
export interface Capture {
  readonly editors?: Omit<Editors, 'drafts'> | undefined;
  readonly drafts: readonly DraftText[];
  readonly workbench?: Workbench | undefined;
  readonly environment: Environment;
}

export interface DraftText {
  readonly place: Place;
  readonly untitled: boolean;
  readonly languageId: string;
  readonly text: string;
}

export interface SaveRequest {
  readonly sessionId: string;
  readonly reason: SnapshotReason;
  readonly label?: string | undefined;
}

export interface SaveResult {
  readonly sessionId: string;
  /** The new snapshot, or the newest one when nothing differs from it. */
  readonly snapshotId: string;
  /** False when the snapshot would have equalled the newest one. A labelled or manual one is always stored. */
  readonly stored: boolean;
  readonly problems: readonly Problem[];
}

export interface ScanReport {
  /** Files of agents' stores that were looked at. */
  readonly filesLookedAt: number;
  readonly threads: number;
  readonly recordsAdded: number;
  /** Conversations of which something could not be written into the vault. */
  readonly notSaved: number;
  readonly bytesRead: number;
  readonly problems: readonly Problem[];
}

export interface ThreadDocument {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Line ranges (zero-based, inclusive) that open folded. */
  readonly folds: readonly { readonly start: number; readonly end: number }[];
  readonly page: number;
  readonly pages: number;
  /** Line (zero-based) of the place that was asked for; absent when the thread has it no more. */
  readonly line?: number | undefined;
  /** The page's turns, in order. */
  readonly turns: readonly DocumentTurn[];
  readonly links: readonly DocumentLink[];
  /** The folder that paths in the transcript are relative to. */
  readonly cwd?: string | undefined;
  /** Every branch of the thread, oldest first, where there are several. */
  readonly branches?: readonly ThreadBranch[] | undefined;
}

/** Which page of a thread to show. */
export interface ThreadAt {
  /** Counted from 0. */
  readonly page?: number | undefined;
  /** The page that holds it is given instead. */
  readonly place?: ThreadPlace | undefined;
  /** Another branch, by `ThreadBranch.leaf`. */
  readonly leaf?: string | undefined;
}

export interface ThreadPart {
  readonly threadId: string;
  readonly leaf?: string | undefined;
  readonly place: PartPlace;
}

export interface ThreadImage {
  readonly mediaType: string;
  readonly name?: string | undefined;
  readonly bytes: Uint8Array;
}

export interface CopyRequest {
  readonly threadId: string;
  readonly leaf?: string | undefined;
  /** Numbers of the first and last turn; all when absent. */
  readonly turns?: { readonly from: number; readonly to: number } | undefined;
}

export interface CopiedThread {
  readonly text: string;
  /** Secrets that were taken out, each counted once. */
  readonly masked: number;
}

/** A part of a turn, as of when it was found: turns are told by their ids, where several share one by their number. */
export interface ThreadPlace {
  readonly turnId: string;
  /** Numbers counted from 0: of the turn in its thread, and of the part in its turn. */
  readonly turn: number;
  readonly part: number;
}

export interface StorageReport {
  readonly places: readonly {
    readonly what: 'vault' | 'database' | 'catalog' | 'agentStore' | 'setAside';
    readonly path: string;
    readonly bytes: number;
    readonly files: number;
  }[];
}

/** Something that could not be read or written: said, counted, never fatal. */
export interface Problem {
  readonly where: string;
  readonly message: string;
  /**
   * What a person should hear of at once: damage in the vault, or a vault that comes near its quota. Only the first
   * window that meets it is told its kind, until it is no more so.
   */
  readonly kind?: 'damage' | 'quota' | undefined;
}

/** What the engine tells without being asked. */
export interface EngineEvents {
  /** Sessions, snapshots or threads changed, here or through another process. */
  changed(): void;
  /** An agent finished answering. */
  turnEnded(threadId: string): void;
  /** New records of a thread arrived since the last snapshot. */
  activity(threadIds: readonly string[]): void;
  problem(problem: Problem): void;
  /** The list is being made again from the vault, for longer than a moment; undefined: that has ended. */
  building?(progress: BuildProgress | undefined): void;
  /** Everything that agents have written is read for the first time, for longer than a moment; undefined: that has ended. */
  reading?(progress: ReadingProgress | undefined): void;
}

/** In conversations. */
export interface ReadingProgress {
  readonly done: number;
  readonly total: number;
  /** A person has stopped it, and can let it go on. */
  readonly paused: boolean;
}

/** In bytes. */
export interface BuildProgress {
  readonly done: number;
  readonly total: number;
}
