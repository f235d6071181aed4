import type { Editors, Tab, ViewState } from '../model/editors.js';
import type { WantedTab } from './group.js';
import { placeKey } from './places.js';
import { placesOf, tabKey } from './tabs.js';
import type { RestoreStep } from './types.js';

export interface FocusRequest {
  readonly saved: Editors;
  readonly now: Omit<Editors, 'drafts'>;
  readonly wanted: readonly (readonly WantedTab[])[];
  readonly present: readonly (readonly Tab[])[];
  /** The steps that come before. */
  readonly steps: readonly RestoreStep[];
}

/**
 * Shows the right tab in each group whose tab differs or was disturbed by the steps before, and gives
 * the keyboard to the active group last.
 */
export function planFocus(request: FocusRequest): readonly RestoreStep[] {
  const { saved, now, wanted, steps } = request;
  const groups = wanted.map((_, group) => group).filter((group) => group !== saved.activeGroup);
  const others = groups.flatMap((group) => focusOf(request, group) ?? []);
  const active = focusOf(request, saved.activeGroup);
  if (active !== undefined) return [...others, active];
  const moved = steps.length > 0 || others.length > 0 || now.activeGroup !== saved.activeGroup;
  if (!moved) return [];
  const shown = wanted[saved.activeGroup]?.find(({ tab }) => tab.active === true);
  return [...others, { kind: 'focus', group: saved.activeGroup, tab: shown?.tab }];
}

function focusOf(request: FocusRequest, group: number): RestoreStep | undefined {
  const { wanted, present, steps } = request;
  const item = wanted[group]?.find(({ tab }) => tab.active === true);
  if (item === undefined) return undefined;
  const key = tabKey(item.tab);
  const there = present[group]?.find((tab) => tabKey(tab) === key);
  const disturbed = steps.some((step) => 'group' in step && step.group === group);
  const view = there === undefined ? undefined : changedView(item, request.now.views, group);
  if (!disturbed && view === undefined && there?.active === true) return undefined;
  return { kind: 'focus', group, tab: item.tab, view };
}

/** The saved view of a tab that is open and shows another place of its document. */
function changedView(
  { tab, view }: WantedTab,
  now: readonly ViewState[],
  group: number,
): ViewState | undefined {
  const place = placesOf(tab).at(-1);
  if (view === undefined || place === undefined) return undefined;
  const key = placeKey(place);
  const current = now.find((other) => other.group === group && placeKey(other.place) === key);
  return current !== undefined && sameView(view, current) ? undefined : view;
}

const sameView = (a: ViewState, b: ViewState): boolean =>
  a.top === b.top &&
  a.selections.length === b.selections.length &&
  a.selections.every((selection, index) =>
    selection.every((number, at) => number === b.selections[index]?.[at]),
  );
