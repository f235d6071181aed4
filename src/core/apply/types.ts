import type { Capture } from '../engine.js';

/*
 * Laying a session's changes on the files of this machine: what is asked for, what would happen, and what
 * did. A plan is made without writing anything, and nothing is written that it does not list.
 */

export interface ApplyRequest {
  readonly sessionId: string;
  /** Whose changes; absent: those of the session's newest snapshot that knows of repositories. */
  readonly snapshotId?: string | undefined;
  /** Absolute path of the repository here by {@link RepositoryPlan.root}; `null`: leave that one out. */
  readonly places?: Readonly<Record<string, string | null>> | undefined;
  /** Paths, as the plan names them, that are to stay as they are here. */
  readonly without?: readonly string[] | undefined;
  /** Take files that programs read as commands or settings too; see `isSensitive`. */
  readonly sensitive?: boolean | undefined;
  /** Stage here too what is staged in the session. */
  readonly staged?: boolean | undefined;
  /** Where both changed the same lines of a text, write both versions with git's conflict markers around them. */
  readonly markers?: boolean | undefined;
  /** Absolute paths of files with unsaved text in an editor. */
  readonly unsaved?: readonly string[] | undefined;
  readonly job?: string | undefined;
}

export interface ApplyPlan {
  readonly sessionId: string;
  /** Absent: the session knows of no repository. */
  readonly snapshotId?: string | undefined;
  readonly repositories: readonly RepositoryPlan[];
  /** `blocked`: something stands against it, so nothing of it can be done; `nothing`: all is here already. */
  readonly state: 'ready' | 'nothing' | 'blocked';
  /** Another plan, or other files here, has another one. */
  readonly token: string;
}

/** How the repository here was found. By `name` or as the `only` one it is a guess. */
export type FoundBy = 'person' | 'commit' | 'history' | 'remote' | 'name' | 'only';

/**
 * `ready`: see the changes and conflicts; `noFolder`: none of the repositories here is a clone of it;
 * `noCommit`: the commit that its changes lie on is not here; `empty`: the session has no changes of it;
 * `leftOut`: a person said so; `failed`: git could not read it, see `problem`.
 */
export type RepositoryState = 'ready' | 'noFolder' | 'noCommit' | 'empty' | 'leftOut' | 'failed';

export interface RepositoryPlan {
  /** URI of its root at the sender's: a name, never a place to write to. */
  readonly root: string;
  readonly name: string;
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  /** Commit that the changes lie on; absent before the first one. */
  readonly head?: string | undefined;
  readonly state: RepositoryState;
  readonly folder?: string | undefined;
  readonly foundBy?: FoundBy | undefined;
  /** All repositories here, for a person to choose from. */
  readonly candidates: readonly string[];
  /** With `noCommit`: this folder's own remote of the same address, to fetch it from. */
  readonly fetchFrom?: { readonly name: string; readonly url: string } | undefined;
  /** Whether the commit that is checked out here has {@link head} in its history. */
  readonly isBehind?: boolean | undefined;
  readonly changes: readonly PlannedChange[];
  readonly conflicts: readonly Conflict[];
  /** What is staged in the session and would be here, with {@link ApplyRequest.staged}. */
  readonly staged: readonly PlannedChange[];
  /** What is staged in the session, and stays in the index here as it is. */
  readonly notStaged: readonly PlanNote<ConflictReason>[];
  /** What is not touched although the session changed it. */
  readonly left: readonly PlanNote<LeftReason>[];
  readonly problem?: string | undefined;
}

export interface PlannedChange {
  /** Below {@link RepositoryPlan.folder}, with slashes. */
  readonly path: string;
  /** `merge`: both changed it, in different places; `markers`: in the same ones, and a person has to choose between them. */
  readonly kind: 'add' | 'change' | 'merge' | 'markers' | 'delete' | 'move';
  /** Where a `move` takes it from. */
  readonly from?: string | undefined;
  /** What the session calls it, where it was moved here. */
  readonly there?: string | undefined;
  /** Programs read it as commands or settings. */
  readonly isSensitive: boolean;
}

export interface PlanNote<Reason> {
  readonly path: string;
  readonly reason: Reason;
}

export interface Conflict extends PlanNote<ConflictReason> {
  /** It is text, so that {@link ApplyRequest.markers} lets a person merge it. */
  readonly canMerge?: true;
}

export type ConflictReason =
  | 'bothChanged' // in the same lines
  | 'binary' // both changed it, and it is no text
  | 'bothAdded' // a file here that the session has with another content
  | 'deletedHere' // the session changed it
  | 'changedHere' // the session deleted it
  | 'movedHere' // the session deleted it
  | 'bothMoved' // to different places
  | 'unmerged' // it is in the middle of a merge here
  | 'inTheWay' // a folder, link or other thing stands where a file should
  | 'case' // it differs from another name in upper and lower case only
  | 'unsaved' // an editor holds text that is not on disk
  | 'doesNotFit'; // its change cannot be laid on the commit

export type LeftReason =
  | 'name' // it leads out of the folder, into git's own files, or is no name on every system
  | 'link' // links are not made
  | 'submodule'
  | 'sensitive'
  | 'notSent' // its content is not in the session
  | 'asked';

export interface ApplyReport {
  readonly plan: ApplyPlan;
  /** What `undoApply` takes; absent when nothing was written. */
  readonly undo?: { readonly sessionId: string; readonly snapshotId: string } | undefined;
}

/** Absolute paths of the files that were written with conflict markers, and are not done before a person has chosen. */
export const unresolvedIn = ({ repositories }: ApplyPlan): readonly string[] =>
  repositories.flatMap(({ folder = '', changes }) =>
    changes.flatMap(({ kind, path }) => (kind === 'markers' ? [`${folder}/${path}`] : [])),
  );

export interface UndoReport {
  /** Absolute paths that are as they were. */
  readonly restored: readonly string[];
  /** Those that were so already. */
  readonly same: readonly string[];
  /** Absolute paths that are staged, or not, as they were. */
  readonly restaged: readonly string[];
}

/** Where a missing commit comes from; nothing else is fetched. */
export interface FetchRequest {
  readonly sessionId: string;
  readonly snapshotId?: string | undefined;
  readonly places?: ApplyRequest['places'];
  /** {@link RepositoryPlan.root} */
  readonly root: string;
  readonly job?: string | undefined;
}

/** The part of the engine that lays changes on files. */
export interface ApplyEngine {
  /** Says what {@link applyChanges} would do. Only reads. */
  readonly planApply: (request: ApplyRequest) => Promise<ApplyPlan>;
  /**
   * Lays a session's changes on the files of this window's folders: all of them or none. How each file was
   * is kept before in a snapshot of `keepIn`. HEAD and branches stay as they are, and the index too but for what the
   * request asks to stage or to merge by hand.
   */
  readonly applyChanges: (
    request: ApplyRequest & {
      /** {@link ApplyPlan.token} of what a person looked at: anything else is not done. */
      readonly expect?: string | undefined;
      readonly keepIn: string;
      /** Of that snapshot. */
      readonly label?: string | undefined;
    },
    capture: Capture,
  ) => Promise<ApplyReport>;
  /** Puts back what that replaced, unless a file was changed since: all of it or nothing. */
  readonly undoApply: (snapshotId: string) => Promise<UndoReport>;
  /** Fetches a commit from this folder's own remote that the plan named, without asking for a password. */
  readonly fetchCommit: (request: FetchRequest) => Promise<void>;
}
