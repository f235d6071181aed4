import type { Problem } from '../core/engine.js';
import type { Applied } from './applyFrames.js';
import type { Covered } from './sessionIndex.js';
import type { Frame } from './types.js';
import type { Vault } from './vault.js';

/** So much is applied to the index in one transaction: frames, and bytes of payload. */
const MANY_FRAMES = 256;
const MANY_BYTES = 16 * 2 ** 20;

/** What frames are taken into. */
export interface FrameTaker {
  apply(frames: readonly Frame[], covered: readonly Covered[]): Applied;
}

export interface CaughtUp {
  /** Whether there was something. */
  readonly news: boolean;
  /** Whether something was taken out of a vault, so that the index knows of what is not there any more. */
  readonly lost: boolean;
}

export interface CatchUpOptions {
  /** Stops; the next call goes on from there. */
  readonly signal?: AbortSignal | undefined;
  /** Told of what was taken in, as it was first written. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Told at once that something was taken out of a vault, which is known only once. */
  readonly onLost?: (() => void) | undefined;
}

/**
 * Brings the index up to what is in the vaults.
 *
 * @throws the signal's reason
 */
export async function catchUp(
  vaults: readonly Vault[],
  index: FrameTaker,
  onProblem: (problem: Problem) => void,
  { signal, onBytes, onLost }: CatchUpOptions = {},
): Promise<CaughtUp> {
  let news = false;
  let lost = false;
  for (const vault of vaults) {
    let frames: Frame[] = [];
    let bytes = 0;
    const flush = (): void => {
      if (frames.length === 0) return;
      for (const problem of applyAll(index, frames).problems) onProblem(problem);
      onBytes?.(frames.reduce((sum, { offset, end }) => sum + end - offset, 0));
      news = true;
      frames = [];
      bytes = 0;
    };
    for await (const item of vault.poll()) {
      if ('frame' in item) {
        frames.push(item.frame);
        bytes += item.frame.payload.length;
      } else if ('problem' in item) {
        onProblem(item.problem);
      } else {
        lost = true;
        onLost?.();
      }
      if (frames.length >= MANY_FRAMES || bytes >= MANY_BYTES) {
        flush();
        signal?.throwIfAborted();
      }
    }
    flush();
  }
  return { news, lost };
}

/** Takes frames in and notes that their packs are covered up to them. */
export const applyAll = (index: FrameTaker, frames: readonly Frame[]): Applied =>
  index.apply(
    frames,
    frames.map(({ pack, end }) => ({ pack, offset: end })),
  );
