import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import type { Io } from './io.js';
import { closedName } from './packFile.js';
import { closedPath, PackFolder } from './packFolder.js';
import { readPackHead } from './reader.js';
import { writeSealed } from './sealedWriter.js';
import type { Frame } from './types.js';

/** A pack that was begun so long ago and was not written to for a while is closed. */
const OLD_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 60 * 60 * 1000;
/** Where there are so many, as when a command is run again and again, a shorter while is enough. */
const MANY_PACKS = 64;
const CROWDED_IDLE_MS = 10 * 60 * 1000;
/** A pack of this size is left by its writer (see pack.ts), in bytes. */
const FULL = 64 * 2 ** 20;
const FULL_IDLE_MS = 60 * 1000;

/** So much of packs goes into one sealed file, so that taking frames out of one stays cheap. */
const LARGEST_SOURCE = 256 * 2 ** 20;
/** Sealed files below this size are merged when there are so many. */
const SMALL_FILE = 16 * 2 ** 20;
const MANY_FILES = 16;

export interface SealReport {
  /** Packs that are in sealed files now and were not before. */
  readonly packs: number;
  /** Bytes of the files that went, and of those that came. */
  readonly before: number;
  readonly after: number;
  readonly problems: readonly Problem[];
}

export interface SealOptions {
  readonly io: Io;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Seals the packs of a folder that nobody writes to any more, and keeps the number of files small. To be called
 * under the vault's lock. Killed at any step it loses nothing: a pack's own file goes only when the sealed one
 * was read back and has its name on the disk; what is left over is tidied up by the next call.
 *
 * A pack is closed first, by taking its name away: a writer counts nothing as saved that it wrote to a file
 * without its name (see pack.ts), so what is read afterwards is all there will ever be.
 */
export async function sealPacks(folder: string, options: SealOptions): Promise<SealReport> {
  return new Sealer(folder, options).run();
}

class Sealer {
  private readonly packs: PackFolder;
  private readonly problems: Problem[] = [];
  private count = 0;
  private before = 0;
  private after = 0;

  constructor(
    private readonly folder: string,
    private readonly options: SealOptions,
  ) {
    this.packs = new PackFolder(folder);
  }

  async run(): Promise<SealReport> {
    await this.look();
    await this.remove(this.packs.leftovers);
    await this.closeIdle();
    await this.sealClosed();
    await this.mergeSmall();
    const { count: packs, before, after, problems } = this;
    return { packs, before, after, problems };
  }

  private async closeIdle(): Promise<void> {
    await this.attempt(this.folder, () => closeIdlePacks(this.packs, this.options));
  }

  private async sealClosed(): Promise<void> {
    const closed: { readonly pack: string; readonly size: number }[] = [];
    for (const pack of this.packs.names) {
      const place = this.packs.place(pack);
      if (place?.kind !== 'closed' || !(await this.isReadable(pack))) continue;
      closed.push({ pack, size: await sizeOf(place.path) });
    }
    for (const group of inGroups(closed, LARGEST_SOURCE)) {
      const names = group.map(({ pack }) => pack);
      if (await this.write(names, names.map(closedName))) this.count += names.length;
    }
  }

  /** A pack with damage stays as it is: what is damaged to us may be readable to somebody. */
  private async isReadable(pack: string): Promise<boolean> {
    const problems: Problem[] = [];
    const isRead = await this.attempt(pack, async () => {
      for await (const frame of this.packs.frames(pack, 0, (problem) => problems.push(problem))) {
        this.options.signal?.throwIfAborted();
        if (frame.payload.length > LARGEST_SOURCE) throw new Error('A record in it is too large.');
      }
    });
    this.problems.push(...problems);
    return isRead && problems.length === 0;
  }

  private async mergeSmall(): Promise<void> {
    const small: { readonly file: string; readonly names: readonly string[] }[] = [];
    for (const { path, names } of this.packs.sealedFiles) {
      const isUsed = names.every((pack) => this.packs.place(pack)?.path === path);
      if (isUsed && (await sizeOf(path)) < SMALL_FILE) small.push({ file: basename(path), names });
    }
    if (small.length < MANY_FILES) return;
    const names = small.flatMap((one) => one.names);
    await this.write(
      names,
      small.map(({ file }) => file),
    );
  }

  /** Puts packs into one new file in place of others; false when that failed, and all is as before. */
  private async write(packs: readonly string[], sources: readonly string[]): Promise<boolean> {
    const { io } = this.options;
    const contents = packs.map((name) => ({ name, frames: () => this.strictly(name) }));
    const replaces = [...sources, ...this.packs.leftovers];
    const written = await this.attempt(packs[0] ?? '', async () => {
      const name = await writeSealed(io, this.folder, contents, replaces);
      this.after += await sizeOf(join(this.folder, name));
    });
    if (!written) return false;
    await this.remove(sources);
    return true;
  }

  private async *strictly(pack: string): AsyncGenerator<Frame, void, undefined> {
    const problems: Problem[] = [];
    for await (const frame of this.packs.frames(pack, 0, (problem) => problems.push(problem))) {
      this.options.signal?.throwIfAborted();
      yield frame;
    }
    const [problem] = problems;
    if (problem) throw new Error(problem.message);
  }

  private async remove(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    for (const file of files) {
      const path = join(this.folder, file);
      const size = await sizeOf(path);
      const isGone = await this.attempt(file, () => this.options.io.remove(path));
      if (isGone) this.before += size;
    }
    await this.settle();
  }

  private async settle(): Promise<void> {
    await this.attempt(this.folder, () => this.options.io.syncFolder(this.folder));
    await this.look();
  }

  private async look(): Promise<void> {
    await this.packs.look((problem) => this.problems.push(problem));
  }

  private async attempt(where: string, action: () => Promise<void>): Promise<boolean> {
    try {
      this.options.signal?.throwIfAborted();
      await action();
      return true;
    } catch (error) {
      this.problems.push({ where, message: messageOf(error) });
      return false;
    }
  }
}

/**
 * Closes the packs that nobody writes to any more: takes their names away, so that nothing more is counted as
 * saved to them, and leaves the rest to collection.
 */
export async function closeIdlePacks(
  packs: PackFolder,
  { io, now }: { readonly io: Io; readonly now: number },
): Promise<void> {
  const open = packs.names.filter((pack) => packs.place(pack)?.kind === 'open');
  const isCrowded = open.length > MANY_PACKS;
  const idle: string[] = [];
  for (const pack of open) {
    const path = packs.place(pack)?.path ?? '';
    if (await isIdle(path, pack, now, isCrowded)) idle.push(pack);
  }
  await closePacks(packs, idle, io);
}

/** Closes packs, whoever writes to them: their writers go on in new ones. */
export async function closePacks(
  packs: PackFolder,
  names: readonly string[],
  io: Io,
): Promise<void> {
  if (names.length === 0) return;
  for (const pack of names) await io.rename(join(packs.path, pack), closedPath(packs.path, pack));
  await io.syncFolder(packs.path);
  await packs.look(() => undefined);
}

async function isIdle(
  path: string,
  pack: string,
  now: number,
  isCrowded: boolean,
): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  const head = await readPackHead(path).catch(() => undefined);
  // A newer version may have other rules for its packs.
  if (!found || head === undefined || head === 'newer') return false;
  const idle = now - found.mtimeMs;
  if (found.size >= FULL) return idle >= FULL_IDLE_MS;
  if (isCrowded && idle >= CROWDED_IDLE_MS) return true;
  return idle >= IDLE_MS && now - bornAt(pack, found.birthtimeMs) >= OLD_MS;
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** A pack's name begins with the time at which it was begun; without one the file's own time counts. */
function bornAt(pack: string, otherwise: number): number {
  const [, date, time] = /^(\d{8})T(\d{9})Z-/.exec(pack) ?? [];
  if (date === undefined || time === undefined) return otherwise;
  const digits = (date + time).replace(
    /^(.{4})(..)(..)(..)(..)(..)(...)$/,
    '$1-$2-$3T$4:$5:$6.$7Z',
  );
  return Date.parse(digits) || otherwise;
}

/** Cuts a list where its sizes add up to more than `most`. */
function inGroups<T extends { readonly size: number }>(
  items: readonly T[],
  most: number,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let sum = 0;
  for (const item of items) {
    const last = groups.at(-1);
    if (!last || sum + item.size > most) {
      groups.push([item]);
      sum = item.size;
    } else {
      last.push(item);
      sum += item.size;
    }
  }
  return groups;
}
