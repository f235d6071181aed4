import type { Place } from '../model/editors.js';
import type { SnapshotContent, Workbench } from '../model/snapshot.js';
import type { TerminalState } from '../model/workbench.js';
import { planEditors } from './editors.js';
import type { Now } from './now.js';
import type { Folders } from './places.js';
import { isUntitled, resolveFolderPath, resolvePlace } from './places.js';
import { placesOf } from './tabs.js';
import type { RestoreNote, RestorePlan, RestoreScope } from './types.js';
import type { PartPlan } from './workbench.js';
import {
  breakpointLabel,
  missingTerminals,
  planBreakpoints,
  planTerminals,
  runningNotes,
} from './workbench.js';

export interface PlanRequest {
  readonly content: SnapshotContent;
  readonly scope: RestoreScope;
  readonly now: Now;
  /**
   * For a window that just came back: nothing closes, since VS Code may remember newer tabs than the
   * snapshot, and a shell counts as there under any name, since a name follows what runs in it.
   */
  readonly addsOnly?: boolean | undefined;
}

/**
 * Decides everything that a restore does, before anything is touched. A window that already looks
 * like the snapshot gets a plan without steps.
 */
export function planRestore({ content, scope, now, addsOnly = false }: PlanRequest): RestorePlan {
  const folders = foldersOf(content, now);
  const resolve = (place: Place): Place => resolvePlace(place, folders);
  const workbench = scope === 'all' ? content.workbench : undefined;
  const terminals = terminalsHere(workbench, folders);
  const missing = now.trusted ? missingTerminals(terminals, now.terminals, addsOnly) : [];
  const editors = planEditors({
    saved: content.editors,
    now,
    resolve,
    terminals: missing,
    addsOnly,
  });
  const parts = workbench === undefined ? [] : planWorkbench(workbench);
  const { id: snapshotId, sessionId } = content.snapshot;
  return {
    sessionId,
    snapshotId,
    scope,
    steps: [...editors.steps, ...parts.flatMap((part) => part.steps), ...editors.focus],
    notes: [
      ...content.missing.map(unreadable),
      ...editors.notes,
      ...parts.flatMap((part) => part.notes),
    ],
  };

  function planWorkbench(saved: Workbench): readonly PartPlan[] {
    const running = { steps: [], notes: runningNotes(saved) };
    if (!now.trusted) return [{ steps: [], notes: untrusted(saved) }, running];
    return [
      planTerminals({ saved: terminals, missing, started: editors.started, now }),
      planBreakpoints(saved.breakpoints, now, resolve),
      running,
    ];
  }
}

/** What {@link planRestore} asks of the disk, each once, so that it can be looked up before. */
export interface Lookups {
  /** URIs whose existence matters. */
  readonly uris: readonly string[];
  /** URIs of files whose content matters. */
  readonly drafts: readonly string[];
  /** Paths of folders. */
  readonly folders: readonly string[];
}

export function lookupsOf(content: SnapshotContent, now: Pick<Now, 'folders'>): Lookups {
  const folders = foldersOf(content, now);
  const uriOf = (place: Place): string => resolvePlace(place, folders).uri;
  const drafts = (content.editors?.drafts ?? []).filter((draft) => !isUntitled(draft.place));
  const tabs = (content.editors?.groups ?? []).flatMap((group) => group.tabs);
  const breakpoints = content.workbench?.breakpoints ?? [];
  const places = [
    ...tabs.flatMap(placesOf),
    ...drafts.map((draft) => draft.place),
    ...breakpoints.flatMap((one) => (one.kind === 'source' ? [one.place] : [])),
  ];
  return {
    uris: [...new Set(places.map(uriOf))],
    drafts: [...new Set(drafts.map((draft) => uriOf(draft.place)))],
    folders: [
      ...new Set(terminalsHere(content.workbench, folders).flatMap(({ cwd }) => cwd ?? [])),
    ],
  };
}

const foldersOf = (content: SnapshotContent, now: Pick<Now, 'folders'>): Folders => ({
  saved: content.environment?.folders ?? [],
  now: now.folders,
});

const terminalsHere = (
  workbench: Workbench | undefined,
  folders: Folders,
): readonly TerminalState[] =>
  (workbench?.terminals ?? []).map((terminal) =>
    terminal.cwd === undefined
      ? terminal
      : { ...terminal, cwd: resolveFolderPath(terminal.cwd, folders) },
  );

const unreadable = (part: string): RestoreNote => ({
  kind: 'part',
  label: part,
  outcome: 'skipped',
  reason: 'unreadable',
});

const untrusted = (workbench: Workbench): readonly RestoreNote[] => [
  ...workbench.terminals.map(({ name }): RestoreNote => notTrusted('terminal', name)),
  ...workbench.breakpoints.map((one): RestoreNote =>
    notTrusted('breakpoint', breakpointLabel(one)),
  ),
];

const notTrusted = (kind: RestoreNote['kind'], label: string): RestoreNote => ({
  kind,
  label,
  outcome: 'skipped',
  reason: 'untrusted',
});
