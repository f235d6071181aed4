import type { RestoreOutcome } from '../../core/restore/types.js';

/** How a step ended. */
export type StepResult = Pick<RestoreOutcome, 'outcome' | 'reason' | 'detail'>;

export const done: StepResult = { outcome: 'done' };

export const skipped = (reason: NonNullable<StepResult['reason']>): StepResult => ({
  outcome: 'skipped',
  reason,
});

/** @param detail words of an error */
export const failed = (detail?: string, reason: StepResult['reason'] = 'failed'): StepResult => ({
  outcome: 'failed',
  reason,
  detail,
});
