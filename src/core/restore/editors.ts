import type { Editors, Layout, Place, Tab } from '../model/editors.js';
import type { TerminalState } from '../model/workbench.js';
import type { DraftPlan } from './drafts.js';
import { planDrafts } from './drafts.js';
import { planFocus } from './focus.js';
import { planGroup } from './group.js';
import { countGroups, rowOf, sameLayout } from './layout.js';
import type { Now } from './now.js';
import { placeKey } from './places.js';
import { placesOf, tabKey } from './tabs.js';
import type { RestoreNote, RestoreStep } from './types.js';
import { wantTabs } from './wanted.js';

export interface EditorsRequest {
  readonly saved: Editors | undefined;
  readonly now: Now;
  readonly resolve: (place: Place) => Place;
  /** Saved terminals that are not open and may start. */
  readonly terminals: readonly TerminalState[];
  /** Leaves tabs open that are not in the snapshot. */
  readonly addsOnly: boolean;
}

export interface EditorsPlan {
  readonly steps: readonly RestoreStep[];
  /** Comes after everything else. */
  readonly focus: readonly RestoreStep[];
  readonly notes: readonly RestoreNote[];
  /** The terminals that start in the editor area. */
  readonly started: ReadonlySet<TerminalState>;
}

/**
 * The layout first, since opening a tab in a group that is not there makes others; then every tab that
 * is missing, before anything closes, since VS Code drops a group with its last tab; then the order.
 */
export function planEditors(request: EditorsRequest): EditorsPlan {
  const { now, resolve, terminals, addsOnly } = request;
  if (request.saved === undefined) return { steps: [], focus: [], notes: [], started: new Set() };
  const layout = wantedLayout(request.saved, now.editors);
  const saved = inMainWindow(request.saved, now.editors, countGroups(layout));
  const present = presentTabs(now.editors, countGroups(layout));
  const drafts = planDrafts(saved.drafts, now, resolve);
  const wanted = wantTabs({ saved, present, now, resolve, terminals, drafts });
  const groups = wanted.groups.map((tabs, group) =>
    planGroup({ group, wanted: tabs, present: present[group] ?? [], addsOnly }),
  );

  const steps: RestoreStep[] = [
    ...layoutSteps(layout, now.editors),
    ...groups.flatMap((group) => group.open),
    ...drafts.filter(({ action }) => action === 'fill').map((plan) => fill(plan, saved)),
    ...groups.flatMap((group) => group.arrange),
  ];
  return {
    steps,
    focus: planFocus({ saved, now: now.editors, wanted: wanted.groups, present, steps }),
    notes: [
      ...groups.flatMap((group) => group.notes),
      ...drafts.flatMap(({ note }) => note ?? []),
      ...wanted.notes,
    ],
    started: wanted.started,
  };
}

type Window = Omit<Editors, 'drafts'>;

const layoutOf = (window: Window): Layout => window.layout ?? rowOf(window.groups.length);

const wantedLayout = (saved: Window, now: Window): Layout =>
  saved.layout === undefined && saved.groups.length === countGroups(layoutOf(now))
    ? layoutOf(now)
    : layoutOf(saved);

const layoutSteps = (layout: Layout, now: Window): readonly RestoreStep[] =>
  sameLayout(layout, layoutOf(now)) ? [] : [{ kind: 'layout', layout }];

/**
 * The layout is the main window's; groups beyond it were in windows of their own, which no API can
 * open. Their tabs come into the last group, unless such a window still shows them.
 */
function inMainWindow(saved: Editors, now: Window, groups: number): Editors {
  const elsewhere = new Set(
    now.groups.slice(countGroups(layoutOf(now))).flatMap(({ tabs }) => tabs.map(tabKey)),
  );
  const tail = saved.groups
    .slice(groups)
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => !elsewhere.has(tabKey(tab)));
  const last = groups - 1;
  const inGroup = (group: number): readonly Tab[] => saved.groups[group]?.tabs ?? [];
  return {
    ...saved,
    groups: Array.from({ length: groups }, (_, group) => ({
      tabs: group < last ? [...inGroup(group)] : joined(inGroup(group), tail),
    })),
    activeGroup: Math.min(saved.activeGroup, last),
    views: saved.views.map((view) => ({ ...view, group: Math.min(view.group, last) })),
  };
}

/** The tabs by group as they are once the layout is set: VS Code merges what is too much into the last. */
function presentTabs(now: Window, groups: number): readonly (readonly Tab[])[] {
  const main = now.groups.slice(0, countGroups(layoutOf(now))).map(({ tabs }) => tabs);
  const kept = main.slice(0, groups);
  const merged = main.slice(groups).reduce((tabs, more) => joined(tabs, more), kept.pop() ?? []);
  return [...kept, merged];
}

/** The second list's tabs behind the first's; a tab is in a group once, and one is active and one a preview. */
function joined(first: readonly Tab[], second: readonly Tab[]): Tab[] {
  const keys = new Set(first.map(tabKey));
  const more = second
    .filter((tab) => !keys.has(tabKey(tab)))
    .map((tab) => ({ ...tab, active: false, preview: false, pinned: false }));
  return [...first, ...more];
}

function fill({ draft, place }: DraftPlan, saved: Editors): RestoreStep {
  const key = placeKey(draft.place);
  const shown = saved.groups.findIndex(({ tabs }) =>
    tabs.some((tab) => placesOf(tab).some((candidate) => placeKey(candidate) === key)),
  );
  const group = shown < 0 ? saved.activeGroup : shown;
  // Its tab opened on the text of the disk, so the cursor is put back once more in this text.
  const view = saved.views.find(
    (candidate) => candidate.group === group && placeKey(candidate.place) === key,
  );
  return { kind: 'draft', draft, place, group, ...(view ? { view: { ...view, place } } : {}) };
}
