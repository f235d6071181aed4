import { createHash } from 'node:crypto';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock } from '../core/clock.js';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { EncodedFrame, NewFrame } from './frame.js';
import { encodeFrame, encodeFrameAside } from './frame.js';
import type { Io } from './io.js';
import { diskIo } from './io.js';
import { PackWriter } from './pack.js';
import { LARGE } from './compress.js';
import { PackFolder, writtenByNewer } from './packFolder.js';
import { readPackHead } from './reader.js';
import { StagedPacks } from './stagedPack.js';
import type { Frame, FrameRef } from './types.js';
import { FrameType } from './types.js';
import { codeOf } from './writeError.js';

export interface VaultOptions {
  /** The project's folder, `<store>/projects/<project key>`; made at the first append. */
  readonly folder: string;
  /** How far packs were read before, by name; {@link Vault.poll} gives the rest. */
  readonly covered?: ReadonlyMap<string, number>;
  /** Where bytes lie that were put into this vault or another one before, by SHA-256 (hex). */
  readonly blobRef?: (hash: string) => FrameRef | undefined;
  /** To be shared by the vaults of one window, and to have observed the newest frame known. */
  readonly clock?: Clock;
  readonly io?: Io;
}

/**
 * One step of {@link Vault.poll}. `lost`: the name of a pack that is not there any more; frames were taken
 * out of it, and what is left has another name, or somebody deleted it.
 */
export type VaultNews =
  { readonly frame: Frame } | { readonly problem: Problem } | { readonly lost: string };

/** What is known of one pack of another process, or of this one's earlier runs. */
interface Tail {
  /** Reading goes on here. */
  offset: number;
  /** The file and its size when it was last read: nothing is read again while they stay. */
  seen: string | undefined;
}

/** Opens a project's vault. Nothing is written before the first append; a missing folder is an empty vault. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const vault = new Vault(options);
  await vault.look();
  return vault;
}

/**
 * The packs of one project: this process's own one, which it appends to, and all others, which it reads
 * as they grow.
 */
export class Vault {
  private readonly packs: PackFolder;
  private readonly clock: Clock;
  private readonly writer: PackWriter;
  private readonly tails = new Map<string, Tail>();
  /** Appends that are on their way to the disk by way of another thread. */
  private readonly writing = new Set<Promise<unknown>>();
  /** The packs of own blobs, also of those that are on their way. */
  private readonly blobs = new Map<string, Promise<string>>();
  /** When this process last said of a pack that it needs what is in it, in milliseconds of its own clock. */
  private readonly relied = new Map<string, number>();
  /** Places of problems that were told already. */
  private readonly told = new Set<string>();
  /** Own packs that are to be read like others' once. */
  private readonly own = new Set<string>();
  private covered: ReadonlyMap<string, number>;
  private newer = false;
  private listed = false;
  private losses = 0;

  constructor(private readonly options: VaultOptions) {
    const folder = join(options.folder, 'packs');
    this.packs = new PackFolder(folder);
    this.covered = options.covered ?? new Map();
    this.clock = options.clock ?? new Clock();
    this.writer = new PackWriter(folder, options.io ?? diskIo);
  }

  /** The project's folder. */
  get folder(): string {
    return this.options.folder;
  }

  /** True once a pack of a newer version was seen: what this version knows is read, nothing written. */
  get readOnly(): boolean {
    return this.newer;
  }

  /** Whether the folder could be listed, and holds something: one that is missing may come back. */
  get isListed(): boolean {
    return this.listed && this.packs.names.length > 0;
  }

  /** How many packs were found to be gone so far, as {@link poll} tells; see {@link countLost}. */
  get lost(): number {
    return this.losses;
  }

  /** Whether the pack belongs to this vault. */
  has(pack: string): boolean {
    return this.writer.owns(pack) || this.tails.has(pack);
  }

  /**
   * Appends frames in one write and answers with them and their places once they are on the disk. When it
   * rejects, none counts; a crash on the way may leave the first ones.
   *
   * @throws ExpectedError `vaultTooNew`, `diskFull`, `notWritable`, `writeFailed` or `vaultClosed`
   */
  async append(frames: readonly NewFrame[]): Promise<readonly Frame[]> {
    if (this.newer) throw tooNew();
    const stamped = frames.map((frame) => ({ ...frame, clock: this.clock.tick(Date.now()) }));
    // Somebody waits for a small one, and a thread's answer would take longer than its compression.
    if (frames.every(({ payload }) => payload.length < LARGE)) {
      return this.write(stamped.map((frame) => ({ ...frame, ...encodeFrame(frame, frame.clock) })));
    }
    const encoding = stamped.map(async (frame) => ({
      ...frame,
      ...(await encodeFrameAside(frame, frame.clock)),
    }));
    const writing = Promise.all(encoding).then((encoded) => this.write(encoded));
    this.writing.add(writing);
    return writing.finally(() => this.writing.delete(writing));
  }

  private async write(
    encoded: readonly (NewFrame & EncodedFrame & { readonly clock: bigint })[],
  ): Promise<readonly Frame[]> {
    const refs = await this.writer.append(encoded.map(({ bytes }) => bytes));
    return refs.flatMap((ref, at) => {
      const frame = encoded[at];
      if (!frame) return [];
      const end = ref.offset + frame.bytes.length;
      const { type, clock, sessionId, hash, payload } = frame;
      return [{ ...ref, end, type, clock, sessionId, hash, payload }];
    });
  }

  /**
   * Keeps bytes under their SHA-256 (hex), once. `frame` is there when they were not kept before.
   *
   * @throws ExpectedError as {@link append}
   */
  async putBlob(bytes: Uint8Array): Promise<{ readonly hash: string; readonly frame?: Frame }> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const before = this.blobs.get(hash) ?? this.options.blobRef?.(hash)?.pack;
    if (before !== undefined && (await this.rely(await before))) return { hash };
    const appended = this.append([{ type: FrameType.blob, payload: bytes }]);
    // Not the frame itself: it holds the bytes.
    const done = appended.then(([frame]) => frame?.pack ?? '');
    done.catch(() => this.blobs.delete(hash));
    this.blobs.set(hash, done);
    const [frame] = await appended;
    return frame ? { hash, frame } : { hash };
  }

  /** Whether the bytes are kept already; if so, they are from now on as if they had just been put. */
  async keeps(hash: string): Promise<boolean> {
    const pack = await (this.blobs.get(hash) ?? this.options.blobRef?.(hash)?.pack);
    return pack !== undefined && (await this.rely(pack));
  }

  /**
   * Packs to be written in another folder of the same disk, and to be taken in as a whole.
   *
   * @throws ExpectedError `vaultTooNew`
   */
  stage(folder: string): StagedPacks {
    if (this.newer) throw tooNew();
    const tick = (): bigint => this.clock.tick(Date.now());
    return new StagedPacks(folder, this.packs.path, tick, this.options.io ?? diskIo);
  }

  /**
   * Lets what is in a pack count as needed for a week more, so that collection takes nothing out of it that a
   * snapshot is about to name. False when the pack is not there.
   */
  private async rely(pack: string): Promise<boolean> {
    if (!this.has(pack)) return false;
    if (this.writer.isCurrent(pack)) return true;
    const last = this.relied.get(pack);
    if (last !== undefined && performance.now() - last < RELY_AGAIN_MS) return true;
    for (let attempt = 0; attempt < 2; attempt++) {
      const place = this.packs.place(pack);
      const now = new Date();
      if (place && (await succeeds(utimes(place.path, now, now)))) {
        this.relied.set(pack, performance.now());
        return true;
      }
      await this.look();
    }
    return false;
  }

  /** @throws ExpectedError `unreadable` */
  readFrame(ref: FrameRef): Promise<Frame> {
    return this.packs.frameAt(ref);
  }

  /**
   * What other processes have written since the last call, and on the first call what was there before.
   * Own frames are not among it. A problem is told once.
   */
  async *poll(): AsyncGenerator<VaultNews, void, undefined> {
    for (const problem of await this.look()) yield* this.tell(problem);
    for (const pack of this.writer.packs) yield* this.checkOwn(pack);
    yield* this.readOwn();
    for (const [pack, tail] of this.tails) yield* this.readTail(pack, tail);
  }

  /** As {@link lost}, and those of which nobody was told yet. */
  async countLost(): Promise<number> {
    if (!(await this.packs.look(() => undefined))) return this.losses;
    const known = [...this.tails.keys(), ...this.writer.packs];
    return this.losses + known.filter((pack) => !this.packs.place(pack)).length;
  }

  /** A second one of the same packs, that has read nothing of them: for what is made anew beside this one. */
  another(): Promise<Vault> {
    return openVault({ folder: this.folder, clock: this.clock });
  }

  /** Bytes of all packs, as they were first written. */
  async size(): Promise<number> {
    const sizes = await Promise.all(this.packs.names.map((pack) => this.packs.sizeOf(pack)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Bytes that {@link poll} has still to read, as they were first written. */
  async unread(): Promise<number> {
    let bytes = 0;
    for (const [pack, { offset }] of this.tails) {
      bytes += Math.max(0, (await this.packs.sizeOf(pack)) - offset);
    }
    for (const pack of this.own) bytes += await this.packs.sizeOf(pack);
    return bytes;
  }

  /** Takes in the names of new packs. */
  async look(): Promise<readonly Problem[]> {
    const problems: Problem[] = [];
    this.listed = await this.packs.look((problem) => problems.push(problem));
    this.newer ||= this.packs.hasNewer;
    for (const pack of this.packs.names) {
      if (this.has(pack)) continue;
      const offset = this.covered.get(pack) ?? 0;
      this.tails.set(pack, { offset, seen: undefined });
      // Whatever else is wrong is told when the pack is read.
      if (offset === 0) await this.isNewer(pack).catch(() => false);
    }
    return problems;
  }

  /** Lets the next {@link poll} give everything again, own frames too. */
  rewind(): void {
    for (const tail of this.tails.values()) {
      tail.offset = 0;
      tail.seen = undefined;
    }
    for (const pack of this.writer.packs) this.own.add(pack);
    this.covered = new Map();
    this.blobs.clear();
    this.relied.clear();
    this.told.clear();
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await Promise.allSettled(this.writing);
    await this.writer.close();
  }

  private async *readTail(pack: string, tail: Tail): AsyncGenerator<VaultNews, void, undefined> {
    const problems: Problem[] = [];
    const report = (message: string): number => problems.push({ where: pack, message });
    try {
      if (await this.isLost(pack)) {
        this.tails.delete(pack);
        this.losses += 1;
        yield { lost: pack };
        return;
      }
      const seen = await this.stateOf(pack);
      if (seen === tail.seen) return;
      if (tail.offset === 0 && (await this.isNewer(pack))) {
        report(writtenByNewer);
      } else {
        const damage = (problem: Problem): number => problems.push({ ...problem, kind: 'damage' });
        for await (const frame of this.packs.frames(pack, tail.offset, damage)) {
          this.clock.observe(frame.clock);
          tail.offset = frame.end;
          yield { frame };
        }
      }
      tail.seen = seen;
    } catch (error) {
      // A file that was moved or sealed meanwhile is looked for at the next poll.
      if (codeOf(error) !== 'ENOENT') report(messageOf(error));
    }
    for (const problem of problems) yield* this.tell(problem);
  }

  private async *checkOwn(pack: string): AsyncGenerator<VaultNews, void, undefined> {
    if (!(await this.isLost(pack))) return;
    this.writer.disown(pack);
    this.losses += 1;
    yield { lost: pack };
  }

  private async *readOwn(): AsyncGenerator<VaultNews, void, undefined> {
    for (const pack of this.own) {
      this.own.delete(pack);
      const problems: Problem[] = [];
      const frames = this.packs.frames(pack, 0, (problem) => problems.push(problem));
      for await (const frame of frames) yield { frame };
      for (const problem of problems) yield* this.tell(problem);
    }
  }

  private async isLost(pack: string): Promise<boolean> {
    if (this.packs.place(pack)) return false;
    // A folder that changes while it is listed may hide a file.
    return (await this.packs.look(() => undefined)) && !this.packs.place(pack);
  }

  /** What says whether a pack has grown. */
  private async stateOf(pack: string): Promise<string> {
    const place = this.packs.place(pack);
    if (place?.kind === 'sealed') return place.path;
    return place ? `${(await fileOf(place.path)).size}` : '';
  }

  private async isNewer(pack: string): Promise<boolean> {
    const place = this.packs.place(pack);
    if (!place || place.kind === 'sealed') return false;
    const newer = (await readPackHead(place.path)) === 'newer';
    this.newer ||= newer;
    return newer;
  }

  private *tell(problem: Problem): Generator<VaultNews, void, undefined> {
    const key = `${problem.where}\n${problem.message}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    yield { problem };
  }
}

/** Packs are relied upon anew so often, well within collection's grace. */
const RELY_AGAIN_MS = 24 * 60 * 60 * 1000;

const succeeds = (action: Promise<void>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  );

async function fileOf(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error('It is not a file.');
  return found;
}

const tooNew = (): ExpectedError =>
  new ExpectedError(
    'vaultTooNew',
    'A newer version of Keepthread has saved to this project; this version reads what it knows and saves nothing.',
    [],
    { next: 'Update Keepthread.' },
  );
