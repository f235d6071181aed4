import { z } from 'zod';
import type { FileStamp, Head } from './heads.js';

/** Files of which heads are remembered; those that changed last stay. */
const mostFiles = 50_000;

/** To be raised when the head of a file says more, or something else. */
const version = 1;

const rememberedSchema = z.object({
  version: z.literal(version),
  /** By agent, then by path: device, inode, size, times of the last change of the bytes and of the file, head. */
  agents: z.record(
    z.string(),
    z.record(
      z.string(),
      z.tuple([
        z.array(z.number()),
        z.object({
          cwd: z.string().optional(),
          id: z.string().optional(),
          parent: z.string().optional(),
          spoken: z.boolean().optional(),
        }),
      ]),
    ),
  ),
});
export type RememberedHeads = z.infer<typeof rememberedSchema>;

export const noHeads: RememberedHeads = { version, agents: {} };

interface Remembered {
  readonly agent: string;
  readonly path: string;
  readonly stamp: readonly number[];
  readonly head: Head;
}

/**
 * What the heads of agents' files say, across processes: a window that opens does not read the beginning
 * of each of ten thousand files again. It is safe to lose. A file whose bytes may be others is not known.
 */
export class HeadMemory {
  private readonly files = new Map<string, Remembered>();
  /** How many heads were read since; see {@link note}. */
  added = 0;

  /** The head of a file that is the same in every respect as when it was read. */
  recall(agent: string, path: string, stamp: FileStamp): Head | undefined {
    const known = this.files.get(keyOf(agent, path));
    const now = numbersOf(stamp);
    return known?.stamp.every((number, at) => number === now[at]) === true ? known.head : undefined;
  }

  /** @param isRead False when only the stamp is another, since the file has grown. */
  note(agent: string, path: string, stamp: FileStamp, head: Head, isRead: boolean): void {
    if (isRead) this.added += 1;
    this.files.set(keyOf(agent, path), { agent, path, stamp: numbersOf(stamp), head });
  }

  /** What is to be kept, over what was kept before. */
  toKeep(before: RememberedHeads): RememberedHeads {
    const all = new Map([...filesOf(before), ...this.files]);
    const newest = [...all.values()]
      .toSorted((one, other) => (other.stamp[changedAt] ?? 0) - (one.stamp[changedAt] ?? 0))
      .slice(0, mostFiles);
    const agents: Record<string, RememberedHeads['agents'][string]> = {};
    for (const { agent, path, stamp, head } of newest) {
      const files = (agents[agent] ??= {});
      files[path] = [[...stamp], head];
    }
    return { version, agents };
  }

  /** Takes in what another process kept. */
  take(kept: RememberedHeads): void {
    for (const [key, file] of filesOf(kept)) if (!this.files.has(key)) this.files.set(key, file);
  }

  /** As when a process begins. */
  clear(): void {
    this.files.clear();
  }
}

/** The one that the sources share. */
export const headMemory = new HeadMemory();

/** Undefined when the text is nothing that this version wrote. */
export function readHeads(text: string): RememberedHeads | undefined {
  try {
    return rememberedSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const keyOf = (agent: string, path: string): string => `${agent}\n${path}`;

/** Of {@link numbersOf}. */
const changedAt = 3;

const numbersOf = ({ dev, ino, size, mtimeMs, ctimeMs }: FileStamp): readonly number[] => [
  dev,
  ino,
  size,
  mtimeMs,
  ctimeMs,
];

const filesOf = ({ agents }: RememberedHeads): Map<string, Remembered> =>
  new Map(
    Object.entries(agents).flatMap(([agent, files]) =>
      Object.entries(files).map(
        ([path, [stamp, head]]) => [keyOf(agent, path), { agent, path, stamp, head }] as const,
      ),
    ),
  );
