import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { version } from '../../package.json';
import { filesOf } from '../agents/copies.js';
import { isDatabase } from '../agents/fileForm.js';
import type { FoundThread, Source } from '../agents/source.js';
import { threadId } from '../core/model/ids.js';
import { writeAtomic } from '../vault/writeAtomic.js';

const fileOf = (store: string): string => join(store, 'counts.json');

/** Conversations of which counts are kept; those that changed last stay. */
const mostThreads = 20_000;

const countedSchema = z.object({
  agent: z.string(),
  nativeId: z.string(),
  title: z.string(),
  cwd: z.string().optional(),
  version: z.string().optional(),
  turns: z.number(),
  messages: z.number(),
  lastAt: z.number().optional(),
  skipped: z.number(),
});
/** What a list says of a conversation, as far as all of it must be read for it. */
export type Counted = z.infer<typeof countedSchema>;

const entrySchema = z.tuple([z.string(), z.number(), countedSchema]);
const keptSchema = z.object({
  /** Of the program: another one may read the same bytes otherwise. */
  version: z.literal(version),
  /** By thread: what told its files from any others, when they last changed, and what was counted. */
  threads: z.record(z.string(), entrySchema),
});
type Entries = Map<string, z.infer<typeof entrySchema>>;

/**
 * What conversations that agents keep in files hold, from one process to the next, as long as those files are the
 * same in every respect. It is safe to lose. Titles in which a secret was found are not kept.
 */
export class KeptCounts {
  private known: Entries | undefined;
  private readonly added: Entries = new Map();

  constructor(private readonly store: string) {}

  /** What was counted of the files as they are now, or else `count`, which is kept then. */
  async of(source: Source, found: FoundThread, count: () => Promise<Counted>): Promise<Counted> {
    const id = threadId(source.agent, found.nativeId);
    const stamp = await stampOf(source, found);
    if (stamp === undefined) return count();
    this.known ??= await readKept(this.store);
    const [before, , counted] = this.known.get(id) ?? [];
    if (before === stamp && counted !== undefined) return counted;
    const now = await count();
    this.added.set(id, [stamp, found.modifiedAt, now]);
    return now;
  }

  /** Keeps what was counted since; a store that is not there is not made for it. */
  async save(secretFinder: () => Promise<(text: string) => boolean>): Promise<void> {
    if (this.added.size === 0) return;
    try {
      await stat(this.store);
      const [all, hasSecret] = [await readKept(this.store), await secretFinder()];
      for (const [id, entry] of this.added) {
        if (hasSecret(entry[2].title)) all.delete(id);
        else all.set(id, entry);
      }
      this.added.clear();
      const newest = [...all].toSorted(([, one], [, other]) => other[1] - one[1]);
      const threads = Object.fromEntries(newest.slice(0, mostThreads));
      await writeAtomic(fileOf(this.store), Buffer.from(JSON.stringify({ version, threads })));
    } catch {
      // It only costs time.
    }
  }
}

/** Removes it: what a person wants forgotten may be in it. */
export const dropCounts = (store: string): Promise<void> => rm(fileOf(store), { force: true });

async function readKept(store: string): Promise<Entries> {
  try {
    const kept = keptSchema.safeParse(JSON.parse(await readFile(fileOf(store), 'utf8')));
    return new Map(Object.entries(kept.data?.threads ?? {}));
  } catch {
    return new Map();
  }
}

/** Undefined for a conversation of a database, which holds others, too, and whose newest rows may lie beside it. */
async function stampOf(source: Source, found: FoundThread): Promise<string | undefined> {
  try {
    if (source.threadsIn !== undefined && (await isDatabase(found.path))) return undefined;
    const stamps = await Promise.all(
      filesOf(found).map(async ({ path }) => {
        const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
        return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
      }),
    );
    return stamps.join('\n');
  } catch {
    return undefined;
  }
}
