import type { Editors, Place, Tab } from '../model/editors.js';
import type { TerminalState } from '../model/workbench.js';
import type { DraftPlan } from './drafts.js';
import type { WantedTab } from './group.js';
import type { Now } from './now.js';
import { isUntitled, placeKey, placeLabel } from './places.js';
import { canReopen, mapPlaces, placesOf, tabKey } from './tabs.js';
import type { RestoreNote, RestoreReason } from './types.js';
import { hasFolder, isPlainShell } from './workbench.js';

export interface WantedTabs {
  /** By group, in saved order, with places in this window. */
  readonly groups: readonly (readonly WantedTab[])[];
  readonly notes: readonly RestoreNote[];
  /** The terminals that start in the editor area. */
  readonly started: ReadonlySet<TerminalState>;
}

export interface WantedRequest {
  readonly saved: Editors;
  /** The window's groups as they will be under the saved layout. */
  readonly present: readonly (readonly Tab[])[];
  readonly now: Now;
  readonly resolve: (place: Place) => Place;
  readonly terminals: readonly TerminalState[];
  readonly drafts: readonly DraftPlan[];
}

/** Which saved tabs there should be in each group, and a note for each that cannot be. */
export function wantTabs(request: WantedRequest): WantedTabs {
  const { saved, present, drafts } = request;
  const picker = new Picker(request);
  const groups = saved.groups.map(({ tabs }, group) =>
    tabs.flatMap((tab) => picker.pick(tab, group, present[group] ?? []) ?? []),
  );
  // An untitled document need not have a tab of a kind that we know.
  for (const draft of drafts.filter(({ action }) => action === 'open')) {
    if (!picker.filled.has(draft)) groups[saved.activeGroup]?.push(tabFor(draft));
  }
  return { groups, notes: picker.notes, started: picker.started };
}

class Picker {
  readonly notes: RestoreNote[] = [];
  readonly started = new Set<TerminalState>();
  readonly filled = new Set<DraftPlan>();
  private readonly draftOf: ReadonlyMap<string, DraftPlan>;
  private readonly terminalTabs: { readonly label: string; readonly group: number }[];

  constructor(private readonly request: WantedRequest) {
    this.draftOf = new Map(request.drafts.map((plan) => [placeKey(plan.draft.place), plan]));
    this.terminalTabs = request.present.flatMap((tabs, group) =>
      tabs.filter((tab) => tab.kind === 'terminal').map(({ label }) => ({ label, group })),
    );
  }

  pick(saved: Tab, group: number, present: readonly Tab[]): WantedTab | undefined {
    if (saved.kind === 'terminal') return this.pickTerminal(saved, group);
    const plan = saved.kind === 'text' ? this.draftOf.get(placeKey(saved.place)) : undefined;
    const tab = mapPlaces(saved, (place) => this.placeHere(place));
    const key = tabKey(tab);
    const there = present.find((candidate) => tabKey(candidate) === key);
    const view = this.viewOf(saved, tab, group);
    if (saved.dirty === true && plan === undefined && there?.dirty !== true) {
      this.note('draft', saved.label, 'notRestorable');
    }
    if (there !== undefined) return { tab, view };
    if (plan?.action === 'open') {
      this.filled.add(plan);
      return { tab: { ...tab, preview: false }, view, draft: plan.draft };
    }
    const reason = this.obstacle(tab, plan);
    if (reason === undefined) {
      return { tab: plan?.action === 'fill' ? { ...tab, preview: false } : tab, view };
    }
    if (reason !== 'noted') this.note('tab', tab.label, reason);
    return undefined;
  }

  private pickTerminal(tab: Tab, group: number): WantedTab | undefined {
    const { terminals, now } = this.request;
    const open = this.terminalTabs.filter(({ label }) => label === tab.label);
    const place = open.find((candidate) => candidate.group === group) ?? open[0];
    if (place !== undefined) {
      this.terminalTabs.splice(this.terminalTabs.indexOf(place), 1);
      if (place.group === group) return { tab };
      // Moving it would take the shell away from where the person put it.
      this.notes.push({
        kind: 'tab',
        label: tab.label,
        outcome: 'alreadyThere',
        reason: 'revivedByEditor',
      });
      return undefined;
    }
    const terminal = terminals.find(
      (candidate) => candidate.name === tab.label && !this.started.has(candidate),
    );
    if (terminal === undefined) {
      this.note('tab', tab.label, now.trusted ? 'notStarted' : 'untrusted');
      return undefined;
    }
    // What keeps it from starting is said of the terminal.
    if (!isPlainShell(terminal) || !hasFolder(terminal, now)) return undefined;
    this.started.add(terminal);
    return { tab, terminal };
  }

  /** Why a tab that is not open in its group cannot be opened there. */
  private obstacle(tab: Tab, plan: DraftPlan | undefined): RestoreReason | 'noted' | undefined {
    const { now } = this.request;
    if (!canReopen(tab)) return 'notRestorable';
    const places = placesOf(tab);
    if (places.some((place) => place.git !== undefined) && !now.trusted) return 'untrusted';
    // Its text is in a tab of another group, or it has none that could be brought back.
    if (places.some(isUntitled)) {
      return plan === undefined || this.isShown(plan.place) ? 'noted' : undefined;
    }
    const files = places.filter((place) => place.git === undefined);
    return files.every((place) => now.exists(place.uri)) ? undefined : 'missing';
  }

  private isShown(place: Place): boolean {
    const key = placeKey(place);
    const shows = (tab: Tab): boolean => placesOf(tab).some((one) => placeKey(one) === key);
    return this.request.present.some((tabs) => tabs.some(shows));
  }

  private placeHere(place: Place): Place {
    const plan = this.draftOf.get(placeKey(place));
    if (plan === undefined) return this.request.resolve(place);
    return plan.place;
  }

  private viewOf(saved: Tab, here: Tab, group: number) {
    const from = placesOf(saved).at(-1);
    const to = placesOf(here).at(-1);
    if (from === undefined || to === undefined) return undefined;
    const key = placeKey(from);
    const view = this.request.saved.views.find(
      (candidate) => candidate.group === group && placeKey(candidate.place) === key,
    );
    return view === undefined ? undefined : { ...view, place: to };
  }

  private note(kind: RestoreNote['kind'], label: string, reason: RestoreReason): void {
    this.notes.push({ kind, label, outcome: 'skipped', reason });
  }
}

const tabFor = ({ draft, place }: DraftPlan): WantedTab => ({
  tab: { kind: 'text', place, label: placeLabel(place) },
  draft,
});
