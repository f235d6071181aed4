import type { ChatState, Edit } from './replay.js';

/** The line with the first state may have held a whole chat. */
const mostInFirstLine = 10_000;

/**
 * Requests that broken lines of a log may have held. Later lines go by a request's number, so an
 * empty one must take the place of each that is missing, where the broken line stood; otherwise
 * answers would be given to the wrong prompts.
 */
export class LostRequests {
  /** How many requests there were when the first line broke that may have held one. */
  private at: number | undefined;
  private most = 0;

  /** A line could not be read. */
  note(state: ChatState | undefined): void {
    this.at ??= countOf(state);
    this.most += state === undefined ? mostInFirstLine : 1;
  }

  /** The state that an edit can go on: with room for the lost requests once its number shows them. */
  makeRoom(state: ChatState | undefined, { kind, k }: Edit): ChatState | undefined {
    if (kind === 0) this.forget();
    if (this.at === undefined || (kind !== 1 && kind !== 2)) return state;
    if (!Array.isArray(k) || k[0] !== 'requests') return state;
    const open = state ?? { requests: [] };
    const requests = open['requests'];
    const index: unknown = k[1];
    if (typeof index !== 'number' || !Array.isArray(requests)) return open;
    const missing = index + 1 - requests.length;
    if (missing > this.most) return open;
    if (missing > 0) requests.splice(this.at, 0, ...Array.from({ length: missing }, () => ({})));
    // VS Code writes to the last request nearly always: now the numbers agree.
    if (missing >= 0) this.forget();
    return open;
  }

  private forget(): void {
    this.at = undefined;
    this.most = 0;
  }
}

function countOf(state: ChatState | undefined): number {
  const requests = state?.['requests'];
  return Array.isArray(requests) ? requests.length : 0;
}
