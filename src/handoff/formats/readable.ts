import type { RedactionSummary } from '../../core/handoff.js';
import type { Thread } from '../../core/model/thread.js';

/** A session to be read elsewhere, every text of it redacted already. */
export interface ReadableSession {
  readonly session: {
    readonly id: string;
    readonly title: string;
    readonly goal: string;
    readonly status: string;
    readonly tags: readonly string[];
    readonly createdAt: number;
    readonly updatedAt: number;
  };
  /** Oldest first. */
  readonly snapshots: readonly {
    readonly id: string;
    readonly at: number;
    readonly reason: string;
    readonly label?: string | undefined;
    readonly branch?: string | undefined;
  }[];
  /** One after the other, so that only one is in memory. */
  readonly threads: AsyncIterable<Thread>;
  readonly author: string | undefined;
  readonly tool: { readonly name: string; readonly version: string };
  readonly createdAt: number;
  /** Once the threads were taken. */
  readonly redaction: () => RedactionSummary;
}

/** A session as one file of some format, in pieces of text. */
export type ReadableFormat = (readable: ReadableSession) => AsyncGenerator<string, void, undefined>;

export const isoTime = (at: number): string => new Date(at).toISOString();
