import type { SnapshotReason } from './model/session.js';

export interface StrategySettings {
  readonly strategy: 'adaptive' | 'interval' | 'event' | 'manual';
  /** For `interval`, in milliseconds. */
  readonly intervalMs: number;
}

/** What happens in a window that a snapshot may follow. */
export type Work =
  | 'agentTurn' // an agent finished answering
  | 'agentActivity' // an agent is at work
  | 'edit' // text changed
  | 'arrange' // tabs, terminals or breakpoints changed
  | 'view' // the cursor moved
  | 'gitHead' // a commit or checkout
  | 'blur'; // the window lost focus

/** `at` is in milliseconds, of a clock that only goes forward. */
export type StrategyEvent =
  | { readonly kind: Work; readonly at: number }
  /** `at`: when the save began; what happened since is not in it. */
  | { readonly kind: 'saved'; readonly at: number; readonly stored: boolean }
  | { readonly kind: 'failed'; readonly at: number };

interface Span {
  readonly first: number;
  readonly last: number;
}

/** A value: {@link advance} gives the next one. */
export interface StrategyState {
  readonly settings: StrategySettings;
  /** Work that no snapshot holds yet. */
  readonly pending: Partial<Readonly<Record<Work, Span>>>;
  readonly savedAt: number;
  /** Saves in a row that found nothing new. */
  readonly unchanged: number;
  /** Saves in a row that failed. */
  readonly failures: number;
}

/** A snapshot that should be taken. */
export interface Due {
  readonly at: number;
  readonly reason: SnapshotReason;
}

interface Patience {
  readonly reason: SnapshotReason;
  /** So long after the last of a burst, in milliseconds ... */
  readonly calm: number;
  /** ... but no later than so long after its first. */
  readonly limit: number;
  /** Waits longer when the last snapshots found nothing new. */
  readonly backsOff?: true;
}

const second = 1000;

/**
 * Who waits how long. Turns and commits are rare and mark a state worth going back to; tabs come and go all the
 * time while somebody reads, and the last look of a window is kept when it is left.
 */
const patience: Readonly<Record<Work, Patience>> = {
  blur: { reason: 'blur', calm: 0, limit: 0 },
  agentTurn: { reason: 'agentTurn', calm: second, limit: 5 * second },
  gitHead: { reason: 'gitHead', calm: second, limit: 5 * second },
  edit: { reason: 'edits', calm: 5 * second, limit: 60 * second, backsOff: true },
  arrange: { reason: 'interval', calm: 15 * second, limit: 90 * second, backsOff: true },
  view: { reason: 'interval', calm: 20 * second, limit: 120 * second, backsOff: true },
  agentActivity: { reason: 'interval', calm: 30 * second, limit: 120 * second, backsOff: true },
};

/** Work that each strategy waits for; `interval` only counts that there is some. */
const listensTo: Readonly<Record<StrategySettings['strategy'], readonly Work[]>> = {
  adaptive: ['blur', 'agentTurn', 'gitHead', 'edit', 'arrange', 'view', 'agentActivity'],
  event: ['blur', 'agentTurn', 'gitHead', 'edit', 'arrange'],
  interval: [],
  manual: [],
};

/** No two snapshots by themselves within this time, unless the window is left. */
const gap = 5 * second;
const retryAfter = 30 * second;
const longestRetry = 10 * 60 * second;
/** At most so many times as patient. */
const longestBackoff = 16;

export const startStrategy = (settings: StrategySettings, at: number): StrategyState => ({
  settings,
  pending: {},
  savedAt: at,
  unchanged: 0,
  failures: 0,
});

export function advance(state: StrategyState, event: StrategyEvent): StrategyState {
  switch (event.kind) {
    case 'saved':
      return {
        ...state,
        pending: since(state.pending, event.at),
        savedAt: event.at,
        unchanged: event.stored ? 0 : state.unchanged + 1,
        failures: 0,
      };
    case 'failed':
      return { ...state, savedAt: event.at, failures: state.failures + 1 };
    case 'blur':
      // Leaving a window in which nothing happened is no work.
      return isIdle(state) ? state : note(state, event.kind, event.at);
    default:
      return note(state, event.kind, event.at);
  }
}

/** When the next snapshot is due and why; undefined when there is nothing to wait for. */
export function nextSnapshot(state: StrategyState): Due | undefined {
  const { settings, failures } = state;
  if (settings.strategy === 'manual' || isIdle(state)) return undefined;
  const due = settings.strategy === 'interval' ? atInterval(state) : afterWork(state);
  if (due === undefined || failures === 0) return due;
  const wait = Math.min(retryAfter * 2 ** (failures - 1), longestRetry);
  return { ...due, at: Math.max(due.at, state.savedAt + wait) };
}

export const isIdle = ({ pending }: StrategyState): boolean => Object.keys(pending).length === 0;

const atInterval = ({ savedAt, settings }: StrategyState): Due => ({
  at: savedAt + settings.intervalMs,
  reason: 'interval',
});

function afterWork({ settings, pending, savedAt, unchanged }: StrategyState): Due | undefined {
  const backoff = settings.strategy === 'adaptive' ? Math.min(2 ** unchanged, longestBackoff) : 1;
  return listensTo[settings.strategy]
    .flatMap((work): Due[] => {
      const span = pending[work];
      if (span === undefined) return [];
      const { calm, limit, backsOff } = patience[work];
      const times = backsOff === true ? backoff : 1;
      const at = Math.min(span.last + calm * times, span.first + limit * times);
      return [
        {
          at: work === 'blur' ? at : Math.max(at, savedAt + gap),
          reason: reasonFor(work, pending),
        },
      ];
    })
    .reduce<Due | undefined>(
      (first, due) => (first === undefined || due.at < first.at ? due : first),
      undefined,
    );
}

/** A snapshot that holds edits is named after them, whatever it waited for. */
function reasonFor(work: Work, pending: StrategyState['pending']): SnapshotReason {
  const { reason } = patience[work];
  return reason === 'interval' && pending.edit !== undefined ? patience.edit.reason : reason;
}

function note(state: StrategyState, work: Work, at: number): StrategyState {
  const first = state.pending[work]?.first ?? at;
  return { ...state, pending: { ...state.pending, [work]: { first, last: at } } };
}

function since(pending: StrategyState['pending'], at: number): StrategyState['pending'] {
  const later = Object.entries(pending).filter(([, span]) => span.last > at);
  return Object.fromEntries(later.map(([work, { last }]) => [work, { first: last, last }]));
}
