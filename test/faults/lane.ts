/** Whether the long lane runs: `npm run test:faults`. */
export const isLong = process.env['KEEPTHREAD_FAULTS'] === 'long';

/** How often something is tried: in each `npm test`, and in the long lane. */
export const rounds = (fast: number, long: number): number => (isLong ? long : fast);
