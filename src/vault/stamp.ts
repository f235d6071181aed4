import type { Frame } from './types.js';

/**
 * A frame's place in the order of all processes' frames, as text that sorts: the clock (64 bits) in hex,
 * then the start of the payload's hash, so that two frames with one clock have an order too.
 */
export const stampOf = (frame: Pick<Frame, 'clock' | 'hash'>): string =>
  frame.clock.toString(16).padStart(16, '0') + frame.hash.slice(0, 16);

/** The clock of a stamp. */
export const clockOf = (stamp: string): bigint => BigInt(`0x${stamp.slice(0, 16)}`);
