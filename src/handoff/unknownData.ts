import { z } from 'zod';
import type { Origin } from '../core/model/origin.js';
import type { RawEntry } from './decode.js';
import { limits } from './limits.js';
import { refused } from './refusal.js';
import type { Unknown } from './readSession.js';

/** What a file holds that this version does not know: data for the next export, and nothing else. */
export class UnknownData {
  private readonly ofSession: Record<string, unknown> = {};
  private readonly ofThreads = new Map<string, Unknown>();
  private readonly entries: unknown[] = [];
  private size = 0;

  session(unknown: Unknown): void {
    this.measure(unknown);
    Object.assign(this.ofSession, unknown);
  }

  thread(id: string, unknown: Unknown): void {
    if (Object.keys(unknown).length === 0) return;
    this.measure(unknown);
    this.ofThreads.set(id, unknown);
  }

  entry({ value }: RawEntry): void {
    this.measure(value);
    this.entries.push(value);
  }

  /** Where there is something unknown, in few words. */
  get names(): readonly string[] {
    const kinds = this.entries.map((entry) => (entry as RawEntry).kind);
    const keys = [
      ...Object.keys(this.ofSession),
      ...[...this.ofThreads.values()].flatMap(Object.keys),
    ];
    return [...new Set([...kinds, ...keys])].slice(0, 100);
  }

  /** Undefined when there is nothing. */
  get value(): Record<string, unknown> | undefined {
    const value = {
      ...(Object.keys(this.ofSession).length > 0 && { session: this.ofSession }),
      ...(this.ofThreads.size > 0 && { threads: [...this.ofThreads] }),
      ...(this.entries.length > 0 && { entries: this.entries }),
    };
    return Object.keys(value).length > 0 ? value : undefined;
  }

  private measure(value: unknown): void {
    this.size += JSON.stringify(value).length;
    if (this.size > limits.unknown) {
      throw refused('It holds too much that this version does not know.');
    }
  }
}

/** A snapshot with all that it says, known or not. */
export const rawSnapshotSchema = z.looseObject({
  parts: z.record(z.string(), z.unknown()),
  threads: z.array(z.looseObject({ id: z.string() })),
});

const keptSchema = z.object({
  session: z.record(z.string(), z.unknown()).optional(),
  threads: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])).optional(),
  entries: z.array(z.looseObject({ kind: z.string() })).optional(),
});

/** What {@link UnknownData.value} kept with an imported session; threads by their ids here. */
export function keptUnknown(origin: Origin | undefined): {
  readonly session: Unknown;
  readonly threads: ReadonlyMap<string, Unknown>;
  readonly entries: readonly object[];
} {
  const {
    session = {},
    threads = [],
    entries = [],
  } = keptSchema.safeParse(origin?.unknown).data ?? {};
  return { session, threads: new Map(threads), entries };
}
