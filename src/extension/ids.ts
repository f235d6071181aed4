import type { ApplyReport, ApplyRequest, UndoReport } from '../core/apply/types.js';
import type { ThreadPart, ThreadPlace } from '../core/engine.js';
import type { ReviewDecisions, ReviewFinding } from '../core/redact/review.js';
import type { Continuation, ContinueRequest } from '../core/model/continuation.js';
import type {
  ExportChoice,
  ExportFormat,
  ExportResult,
  ImportRequest,
  ImportResult,
} from '../core/handoff.js';
import type { RestoreReport, RestoreScope } from '../core/restore/types.js';
import type { SearchHit, SearchOptions } from '../core/search/types.js';
import type { SessionPatch, SessionSummary } from '../core/model/session.js';
import type { ForgetCounts } from '../core/forgetting.js';
import type { Attachment } from '../core/projects.js';
import type { StoreStats } from '../core/statistics.js';

/** Everything that the manifest and the code call by name. `test/manifest.test.ts` holds the two together. */
export const Command = {
  newSession: 'keepthread.session.new',
  save: 'keepthread.session.save',
  load: 'keepthread.session.load',
  list: 'keepthread.session.list',
  rename: 'keepthread.session.rename',
  setGoal: 'keepthread.session.setGoal',
  finish: 'keepthread.session.finish',
  reopen: 'keepthread.session.reopen',
  tag: 'keepthread.session.tag',
  deleteSession: 'keepthread.session.delete',
  exportSession: 'keepthread.session.export',
  importSession: 'keepthread.session.import',
  unlockSessionFile: 'keepthread.session.unlockFile',
  goOnHere: 'keepthread.session.goOnHere',
  applyChanges: 'keepthread.session.applyChanges',
  undoApply: 'keepthread.session.undoApplyChanges',
  showLog: 'keepthread.session.showLog',
  whereIsMyData: 'keepthread.session.whereIsMyData',
  continueWork: 'keepthread.continue',
  openThread: 'keepthread.thread.open',
  copyThread: 'keepthread.thread.copy',
  copyTurn: 'keepthread.thread.copyTurn',
  openBranch: 'keepthread.thread.openBranch',
  openChanges: 'keepthread.thread.openChanges',
  openImage: 'keepthread.thread.openImage',
  nextPrompt: 'keepthread.thread.nextPrompt',
  previousPrompt: 'keepthread.thread.previousPrompt',
  continueThread: 'keepthread.thread.continue',
  continueIn: 'keepthread.thread.continueIn',
  continueHere: 'keepthread.thread.continueHere',
  undoContinue: 'keepthread.thread.undoContinue',
  continueSessionIn: 'keepthread.session.continueIn',
  undoRestore: 'keepthread.restore.undo',
  search: 'keepthread.search',
  refresh: 'keepthread.refresh',
  pauseReading: 'keepthread.pauseReading',
  resumeReading: 'keepthread.resumeReading',
  showOlder: 'keepthread.snapshots.showOlder',
  attachSessions: 'keepthread.attachSessions',
  detach: 'keepthread.detach',
  showThisFolder: 'keepthread.showThisFolder',
  showWholeProject: 'keepthread.showWholeProject',
  showArchived: 'keepthread.showArchived',
  hideArchived: 'keepthread.hideArchived',
  archive: 'keepthread.session.archive',
  unarchive: 'keepthread.session.unarchive',
  reviewFinished: 'keepthread.reviewFinished',
  review: 'keepthread.review.open',
  reviewHide: 'keepthread.review.hide',
  reviewKeep: 'keepthread.review.keep',
  reviewHideKind: 'keepthread.review.hideKind',
  reviewKeepKind: 'keepthread.review.keepKind',
  reviewAccept: 'keepthread.review.accept',
  reviewCancel: 'keepthread.review.cancel',
  forget: 'keepthread.forget',
  takeBackForgetting: 'keepthread.takeBackForgetting',
  showStatistics: 'keepthread.showStatistics',
  previewCleanup: 'keepthread.previewCleanup',
  rebuild: 'keepthread.rebuild',
  bringBack: 'keepthread.bringBack',
} as const;
export type Command = (typeof Command)[keyof typeof Command];

export const View = { sessions: 'keepthread.sessions' } as const;

export const ContextKey = {
  /** The list has been read once: until then an empty tree means nothing. */
  ready: 'keepthread.ready',
  /** The vault was written by a newer version. */
  readOnly: 'keepthread.readOnly',
  /** The last restore of this window can be undone. */
  canUndo: 'keepthread.canUndo',
  /** Sessions came along from other folders of the project. */
  hasElsewhere: 'keepthread.hasElsewhere',
  /** Those are not shown. */
  onlyThisFolder: 'keepthread.onlyThisFolder',
  hasArchived: 'keepthread.hasArchived',
  archivedShown: 'keepthread.archivedShown',
  /** A person attached this folder to another project. */
  attached: 'keepthread.attached',
  /** What agents wrote is read for the first time. */
  isReading: 'keepthread.isReading',
  isReadingPaused: 'keepthread.isReadingPaused',
} as const;
export type ContextKey = (typeof ContextKey)[keyof typeof ContextKey];

export const Setting = {
  strategy: 'keepthread.checkpoint.strategy',
  intervalSeconds: 'keepthread.checkpoint.intervalSeconds',
  restoreOnOpen: 'keepthread.restore.onOpen',
  maxFileMegabytes: 'keepthread.capture.maxFileMegabytes',
  maxUntrackedFiles: 'keepthread.capture.maxUntrackedFiles',
  agentHomes: 'keepthread.agents.homes',
  pollSeconds: 'keepthread.agents.pollSeconds',
  redactOnSave: 'keepthread.redaction.onSave',
  retentionDays: 'keepthread.retention.days',
  quotaMegabytes: 'keepthread.storage.quotaMB',
  backups: 'keepthread.backup.automatic',
  redactionRules: 'keepthread.redaction.rules',
  redactionAllow: 'keepthread.redaction.allow',
  quoteThinking: 'keepthread.continue.quoteThinking',
} as const;

export interface SessionTarget {
  readonly sessionId: string;
}

export interface ThreadBranchTarget {
  readonly threadId: string;
  /** The branch that the agent goes on with when absent. */
  readonly leaf?: string | undefined;
}

export interface ThreadTarget {
  readonly threadId: string;
  /** Where to open it, as a search gives it; at its beginning when absent. */
  readonly place?: ThreadPlace | undefined;
}

/** What is to be forgotten. */
export type ForgetOptions = (
  SessionTarget | Pick<ThreadTarget, 'threadId'> | { readonly text: string }
) & {
  /** Only says how much would go. */
  readonly dryRun?: boolean | undefined;
};

export interface AttachOptions {
  /** Key of a project of this machine's store. */
  readonly projectKey: string;
}

export interface ReviewValueTarget {
  readonly value: string;
}

export interface ReviewKindTarget {
  readonly kind: string;
}

export interface ContinueInOptions extends ContinueRequest, Pick<ThreadTarget, 'threadId'> {
  /** Starts the agent in a terminal; absent: yes. */
  readonly start?: boolean | undefined;
}

/** What of a session goes out, and how; files without secrets go along when not said otherwise. */
export interface ExportOptions
  extends SessionTarget, Pick<ExportChoice, 'from' | 'to' | 'threads' | 'keep'> {
  readonly files?: boolean | undefined;
  readonly images?: boolean | undefined;
  readonly filesWithSecrets?: boolean | undefined;
  /** Absolute path. */
  readonly output: string;
  readonly format?: ExportFormat | undefined;
  readonly author?: string | undefined;
  readonly passphrase?: string | undefined;
  /** `age1…` */
  readonly recipients?: readonly string[] | undefined;
  readonly sign?: boolean | undefined;
}

export interface ImportOptions {
  /** Absolute path. */
  readonly file: string;
  /** The root hash of what a person looked at. */
  readonly expect?: string | undefined;
  /** Of what was changed here and by the sender, take the sender's: all of it, or these fields. */
  readonly takeTheirs?: ImportRequest['takeTheirs'];
  /** Let the person choose that. */
  readonly choose?: boolean | undefined;
  readonly passphrase?: string | undefined;
}

/** Which changes are laid on which files; see `ApplyRequest`. */
export interface ApplyOptions extends Omit<ApplyRequest, 'unsaved' | 'job'> {
  /** Only says what would be done. */
  readonly dryRun?: boolean | undefined;
}

export interface UndoApplyOptions {
  /** As `ApplyReport.undo` names it. */
  readonly snapshotId: string;
}

export interface SavedAt {
  readonly sessionId: string;
  readonly snapshotId: string;
}

export interface SaveOptions {
  readonly label?: string | undefined;
}

export interface LoadOptions extends SessionTarget {
  /** The session's newest one when absent. */
  readonly snapshotId?: string | undefined;
  /** `all` when absent. */
  readonly apply?: RestoreScope | undefined;
}

/**
 * What other extensions may call, and what they get. A call with arguments shows nothing and rejects
 * when it fails; a call without asks the person, says what went wrong and resolves to undefined.
 */
export interface CommandSignatures {
  readonly [Command.newSession]: (
    options?: Pick<SessionPatch, 'title' | 'goal' | 'tags'>,
  ) => SessionSummary;
  readonly [Command.save]: (options?: SaveOptions) => SavedAt;
  readonly [Command.load]: (options?: LoadOptions) => RestoreReport;
  /** Without arguments it shows the list as well, and does not wait for it. */
  readonly [Command.list]: (options?: object) => readonly SessionSummary[];
  readonly [Command.rename]: (
    options?: SessionTarget & { readonly title: string },
  ) => SessionSummary;
  readonly [Command.setGoal]: (
    options?: SessionTarget & { readonly goal: string },
  ) => SessionSummary;
  readonly [Command.finish]: (options?: SessionTarget) => SessionSummary;
  readonly [Command.reopen]: (options?: SessionTarget) => SessionSummary;
  readonly [Command.tag]: (
    options?: SessionTarget & { readonly tags: readonly string[] },
  ) => SessionSummary;
  readonly [Command.deleteSession]: (options?: SessionTarget) => SessionSummary;
  readonly [Command.exportSession]: (options?: ExportOptions) => ExportResult | undefined;
  readonly [Command.importSession]: (options?: ImportOptions) => ImportResult | undefined;
  readonly [Command.unlockSessionFile]: (options?: Pick<ImportOptions, 'file'>) => void;
  readonly [Command.goOnHere]: (options?: SessionTarget) => void;
  readonly [Command.applyChanges]: (options?: ApplyOptions) => ApplyReport | undefined;
  readonly [Command.undoApply]: (options?: UndoApplyOptions) => UndoReport;
  readonly [Command.showLog]: () => void;
  readonly [Command.whereIsMyData]: () => void;
  readonly [Command.continueWork]: (options?: SessionTarget) => void;
  readonly [Command.openThread]: (options?: ThreadTarget) => void;
  readonly [Command.copyThread]: (options?: ThreadBranchTarget) => void;
  readonly [Command.copyTurn]: () => void;
  readonly [Command.openBranch]: (options?: ThreadBranchTarget) => void;
  readonly [Command.openChanges]: (options: ThreadPart) => void;
  readonly [Command.openImage]: (options: ThreadPart) => void;
  readonly [Command.nextPrompt]: () => void;
  readonly [Command.previousPrompt]: () => void;
  readonly [Command.continueThread]: (options?: ThreadTarget) => void;
  /** Without arguments it asks and opens the chosen hit, and answers with none. */
  readonly [Command.search]: (
    options?: SearchOptions & { readonly query: string },
  ) => readonly SearchHit[];
  readonly [Command.continueIn]: (options?: ContinueInOptions) => Continuation | undefined;
  readonly [Command.continueHere]: (options?: ThreadTarget) => void;
  readonly [Command.undoContinue]: (options?: ThreadTarget) => void;
  readonly [Command.continueSessionIn]: (options?: SessionTarget) => void;
  readonly [Command.undoRestore]: () => RestoreReport;
  readonly [Command.refresh]: () => void;
  readonly [Command.pauseReading]: () => void;
  readonly [Command.resumeReading]: () => void;
  readonly [Command.showOlder]: (options?: SessionTarget) => void;
  readonly [Command.attachSessions]: (options?: AttachOptions) => Attachment;
  readonly [Command.detach]: (options?: object) => Attachment;
  readonly [Command.showThisFolder]: () => void;
  readonly [Command.showWholeProject]: () => void;
  readonly [Command.showArchived]: () => void;
  readonly [Command.hideArchived]: () => void;
  readonly [Command.archive]: (options?: SessionTarget) => SessionSummary;
  readonly [Command.unarchive]: (options?: SessionTarget) => SessionSummary;
  readonly [Command.reviewFinished]: () => void;
  /** Shows findings and waits until a person has decided; undefined when they cancelled. */
  readonly [Command.review]: (options?: {
    readonly findings: readonly ReviewFinding[];
  }) => ReviewDecisions;
  /** A value as it stands in the review; without one, that at the cursor. */
  readonly [Command.reviewHide]: (options?: ReviewValueTarget) => void;
  readonly [Command.reviewKeep]: (options?: ReviewValueTarget) => void;
  readonly [Command.reviewHideKind]: (options?: ReviewKindTarget) => void;
  readonly [Command.reviewKeepKind]: (options?: ReviewKindTarget) => void;
  /** Ends the review that is open with what was decided, or without. */
  readonly [Command.reviewAccept]: (options?: object) => void;
  readonly [Command.reviewCancel]: (options?: object) => void;
  readonly [Command.forget]: (options?: ForgetOptions) => ForgetCounts;
  readonly [Command.takeBackForgetting]: (target?: ThreadTarget) => void;
  /** With an argument nothing is shown. */
  readonly [Command.showStatistics]: (options?: object) => StoreStats;
  readonly [Command.previewCleanup]: () => void;
  readonly [Command.rebuild]: () => void;
  readonly [Command.bringBack]: () => void;
}
