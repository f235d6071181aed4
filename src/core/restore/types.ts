import type { Draft, Layout, Place, Tab, ViewState } from '../model/editors.js';
import type { BreakpointState, TerminalState } from '../model/workbench.js';

/** How much of a snapshot comes back. */
export type RestoreScope = 'editors' | 'all';

/** What a restore would do, decided before anything is touched. */
export interface RestorePlan {
  readonly sessionId: string;
  readonly snapshotId: string;
  readonly scope: RestoreScope;
  /** In the order in which they run. Empty: the window already looks like the snapshot. */
  readonly steps: readonly RestoreStep[];
  /** Items that need nothing or cannot come back, each with its reason; reported as they are. */
  readonly notes: readonly RestoreNote[];
}

export type RestoreStep =
  | { readonly kind: 'layout'; readonly layout: Layout }
  /** A clean tab that is not in the snapshot. Dirty tabs are never closed. */
  | { readonly kind: 'close'; readonly tab: Tab; readonly group: number }
  | {
      readonly kind: 'open';
      /** With its places resolved against the folders of this window. */
      readonly tab: Tab;
      readonly group: number;
      /** Where it stands in its group when the steps before have run. */
      readonly index: number;
      readonly view?: ViewState | undefined;
    }
  /** Text that was not on disk. An untitled one opens its own tab, at `index`. */
  | {
      readonly kind: 'draft';
      readonly draft: Draft;
      readonly place: Place;
      readonly group: number;
      readonly index?: number | undefined;
      readonly view?: ViewState | undefined;
    }
  | { readonly kind: 'move'; readonly tab: Tab; readonly group: number; readonly index: number }
  | { readonly kind: 'pin'; readonly tab: Tab; readonly group: number }
  | { readonly kind: 'unpin'; readonly tab: Tab; readonly group: number }
  /** Without `group` in the panel, else in the editor area at `index`. */
  | {
      readonly kind: 'terminal';
      readonly terminal: TerminalState;
      readonly group?: number | undefined;
      readonly index?: number | undefined;
    }
  | { readonly kind: 'breakpoint'; readonly breakpoint: BreakpointState }
  /** The tab that shows in a group; the last of them also gets the keyboard. */
  | {
      readonly kind: 'focus';
      readonly group: number;
      readonly tab?: Tab | undefined;
      readonly view?: ViewState | undefined;
    };

export interface RestoreNote {
  readonly kind: 'tab' | 'draft' | 'terminal' | 'breakpoint' | 'layout' | 'task' | 'debug' | 'part';
  readonly label: string;
  readonly outcome: 'alreadyThere' | 'skipped';
  readonly reason: RestoreReason;
}

export type RestoreReason =
  | 'alreadyThere'
  | 'missing' // the file is not there any more
  | 'notRestorable' // webviews and kinds that VS Code does not let us open
  | 'changedOnDisk' // a draft whose file has changed since
  | 'differentDraft' // the document holds other unsaved text
  | 'dirty' // a tab that stays because it holds unsaved changes
  | 'kept' // a tab that stays because no restore could bring it back (webviews, terminals)
  | 'revivedByEditor' // VS Code brought it back by itself
  | 'notStarted' // tasks and debug sessions are named, never started
  | 'untrusted' // not in restricted mode
  | 'unreadable' // the vault's copy is damaged
  | 'failed';

/** One line of a report: what a step or note did. */
export interface RestoreOutcome {
  readonly kind: RestoreStep['kind'] | RestoreNote['kind'];
  readonly label: string;
  readonly outcome: 'done' | 'alreadyThere' | 'skipped' | 'failed';
  readonly reason?: RestoreReason | undefined;
  /** Words of an error, for a failed step. */
  readonly detail?: string | undefined;
}

export interface RestoreReport {
  readonly sessionId: string;
  readonly snapshotId: string;
  readonly outcomes: readonly RestoreOutcome[];
  readonly cancelled: boolean;
  /** The snapshot taken before, to go back to. */
  readonly undoSnapshotId?: string | undefined;
  /** The session that it belongs to: the one that was active before. */
  readonly undoSessionId?: string | undefined;
}
