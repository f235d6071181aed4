import type { RestoreReport } from '../../src/core/restore/types.js';
import type { SavedAt } from '../../src/extension/ids.js';

/** What the demo asks of the driver in the window: to work and save, or to bring back what was saved. */
export interface Orders {
  /** File to answer in. */
  readonly answer: string;
  readonly saved?: SavedAt | undefined;
}

export interface Before {
  readonly saved: SavedAt;
  /** What a person sees, one line an item. */
  readonly window: readonly string[];
  readonly session: {
    readonly agents: readonly string[];
    readonly threads: number;
    readonly label?: string | undefined;
    readonly branch?: string | undefined;
  };
}

export interface After {
  /** What was there before Keepthread did anything. */
  readonly empty: readonly string[];
  readonly report: RestoreReport;
  readonly window: readonly string[];
  readonly session: Before['session'];
}

export interface Failure {
  readonly error: string;
}
