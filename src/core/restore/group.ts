import type { Draft, Tab, ViewState } from '../model/editors.js';
import type { TerminalState } from '../model/workbench.js';
import { canReopen, tabKey } from './tabs.js';
import type { RestoreNote, RestoreStep } from './types.js';

/** A tab that belongs into a group, and how it gets there when it is not. */
export interface WantedTab {
  readonly tab: Tab;
  readonly view?: ViewState | undefined;
  /** Opens the tab with unsaved text instead of a document on disk. */
  readonly draft?: Draft | undefined;
  /** Starts the terminal that the tab shows. */
  readonly terminal?: TerminalState | undefined;
}

export interface GroupRequest {
  readonly group: number;
  readonly wanted: readonly WantedTab[];
  readonly present: readonly Tab[];
  /** Leaves tabs open that are not wanted. */
  readonly addsOnly?: boolean;
}

export interface GroupPlan {
  /** Opens everything but the preview tab, which the next open would replace. */
  readonly open: readonly RestoreStep[];
  /** Closes, pins and moves until the group looks as saved; then opens the preview tab. */
  readonly arrange: readonly RestoreStep[];
  readonly notes: readonly RestoreNote[];
}

/**
 * What one group needs. The steps are played on a list as they are found, because each moves what the
 * next one counts on: a tab opens right of another, a pin goes behind the pins that are there, and a
 * tab that is moved among pinned ones becomes pinned itself.
 */
export function planGroup({ group, wanted, present, addsOnly = false }: GroupRequest): GroupPlan {
  const board = new Board(group, present);
  const targets = numbered(pinnedFirst(wanted), (item) => item.tab);
  const keys = new Set(targets.map((target) => target.key));
  const notes: RestoreNote[] = [];

  for (const target of targets) {
    if (!target.item.tab.pinned) board.unpin(target);
  }
  for (const target of targets) {
    if (board.has(target.key)) notes.push(alreadyThere(target.item.tab));
    if (!isPreview(target)) board.open(target, targets);
  }
  const open = board.takeSteps();

  const extras = addsOnly ? [] : board.entries.filter((entry) => !keys.has(entry.key));
  for (const extra of extras) {
    const note = board.close(extra);
    if (note !== undefined) notes.push(note);
  }
  for (const target of targets) {
    if (target.item.tab.pinned) board.pin(target);
  }
  board.sort(targets);
  for (const target of targets) {
    if (isPreview(target)) board.open(target, targets);
  }
  return { open, arrange: board.takeSteps(), notes };
}

interface Entry {
  readonly key: string;
  readonly tab: Tab;
  readonly pinned: boolean;
  readonly preview: boolean;
}

interface Target {
  readonly key: string;
  readonly item: WantedTab;
}

/** One group's tabs while its steps are played. */
class Board {
  entries: Entry[];
  private steps: RestoreStep[] = [];

  constructor(
    private readonly group: number,
    present: readonly Tab[],
  ) {
    this.entries = numbered(present, (tab) => tab).map(({ key, item }) => ({
      key,
      tab: item,
      pinned: item.pinned === true,
      preview: item.preview === true,
    }));
  }

  takeSteps(): readonly RestoreStep[] {
    const taken = this.steps;
    this.steps = [];
    return taken;
  }

  has(key: string): boolean {
    return this.indexOf(key) >= 0;
  }

  unpin({ key, item }: Target): void {
    const entry = this.entries[this.indexOf(key)];
    if (entry?.pinned !== true) return;
    this.steps.push({ kind: 'unpin', tab: item.tab, group: this.group });
    this.place({ ...entry, pinned: false }, this.pins - 1);
  }

  open(target: Target, order: readonly Target[]): void {
    const { key, item } = target;
    const at = this.indexOf(key);
    const entry = this.entries[at];
    if (entry !== undefined) {
      // A preview tab that stays one would be replaced by the next preview.
      if (!entry.preview || item.tab.preview === true) return;
      this.steps.push({ kind: 'open', tab: item.tab, group: this.group, index: at });
      this.entries[at] = { ...entry, preview: false };
      return;
    }
    const index = Math.max(this.afterPredecessor(target, order), this.pins);
    this.steps.push(openStep(item, this.group, index));
    const preview = item.tab.preview === true;
    this.entries.splice(index, 0, { key, tab: item.tab, pinned: false, preview });
  }

  /** A note when the tab has to stay. */
  close(extra: Entry): RestoreNote | undefined {
    const { tab, key } = extra;
    const stays = (reason: 'dirty' | 'kept'): RestoreNote => ({
      kind: 'tab',
      label: tab.label,
      outcome: 'skipped',
      reason,
    });
    if (tab.dirty === true) return stays('dirty');
    if (!canReopen(tab)) return stays('kept');
    this.steps.push({ kind: 'close', tab, group: this.group });
    this.entries.splice(this.indexOf(key), 1);
    return undefined;
  }

  pin({ key, item }: Target): void {
    const entry = this.entries[this.indexOf(key)];
    if (entry === undefined || entry.pinned) return;
    this.steps.push({ kind: 'pin', tab: item.tab, group: this.group });
    this.place({ ...entry, pinned: true }, this.pins);
  }

  /** Moves what stands left of the tab that it should follow. */
  sort(order: readonly Target[]): void {
    let before = -1;
    for (const { key, item } of order) {
      const at = this.indexOf(key);
      const entry = this.entries[at];
      if (entry === undefined) continue;
      if (at > before) {
        before = at;
        continue;
      }
      this.steps.push({ kind: 'move', tab: item.tab, group: this.group, index: before });
      this.place(entry, before);
    }
  }

  private get pins(): number {
    return this.entries.filter((entry) => entry.pinned).length;
  }

  private afterPredecessor(target: Target, order: readonly Target[]): number {
    const before = order.slice(0, order.indexOf(target)).map(({ key }) => this.indexOf(key));
    return (before.findLast((index) => index >= 0) ?? -1) + 1;
  }

  private indexOf(key: string): number {
    return this.entries.findIndex((entry) => entry.key === key);
  }

  private place(entry: Entry, index: number): void {
    this.entries.splice(this.indexOf(entry.key), 1);
    this.entries.splice(index, 0, entry);
  }
}

function openStep(item: WantedTab, group: number, index: number): RestoreStep {
  const { tab, view, draft, terminal } = item;
  if (terminal !== undefined) return { kind: 'terminal', terminal, group, index };
  if (draft !== undefined && tab.kind === 'text') {
    return { kind: 'draft', draft, place: tab.place, group, index, view };
  }
  return { kind: 'open', tab, group, index, view };
}

const alreadyThere = (tab: Tab): RestoreNote => ({
  kind: 'tab',
  label: tab.label,
  outcome: 'alreadyThere',
  reason: 'alreadyThere',
});

const isPreview = ({ item }: Target): boolean =>
  item.tab.preview === true && item.tab.pinned !== true;

/** As VS Code keeps them; a snapshot of another origin may not. */
const pinnedFirst = (wanted: readonly WantedTab[]): readonly WantedTab[] => [
  ...wanted.filter(({ tab }) => tab.pinned === true),
  ...wanted.filter(({ tab }) => tab.pinned !== true),
];

/** Keys that tell equal tabs of one group apart, such as two terminals called "bash". */
function numbered<T>(items: readonly T[], tabOf: (item: T) => Tab): { key: string; item: T }[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = tabKey(tabOf(item));
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return { key: `${key} #${count}`, item };
  });
}
