import { join } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { Forgotten } from '../core/forgetting.js';
import { backUp, letGo } from './backup.js';
import { changeFor, wordsOn } from './forgetChange.js';
import type { NewFrame } from './frame.js';
import type { Io } from './io.js';
import { withLock } from './lock.js';
import { hashesIn } from './needed.js';
import { SHORTEST_TEXT } from './needles.js';
import { openView } from './openView.js';
import { PackFolder } from './packFolder.js';
import type { StagedRewrite, Watch } from './rewrite.js';
import { closedFiles, damaged, removeLeftovers, stageChanged } from './rewrite.js';
import { removeStaleImages } from './search/imageFolder.js';
import { closePacks } from './seal.js';
import { loadSql } from './sqlite.js';
import { FrameType } from './types.js';
import { openVault } from './vault.js';

export interface ForgetReport {
  /** Records, snapshots and contents that are gone, or that have asterisks where the text was. */
  readonly removed: number;
  readonly masked: number;
  /** Files of the vault that were written anew. */
  readonly files: number;
}

export interface ForgetOptions {
  /** The project's folder, `<store>/projects/<project key>`. */
  readonly folder: string;
  /** Bytes of sql.js's `sql-wasm.wasm`, or its path. */
  readonly wasm: Uint8Array | string;
  readonly io: Io;
}

/** Windows may save what is to be forgotten while it is being forgotten. */
const ROUNDS = 5;

/** So long a backup that is being made is waited for. */
const BACKUP_WAIT_MS = 60_000;

/** What is to take the place of a vault's files. */
interface Staged {
  readonly files: readonly StagedRewrite[];
  /** The packs that were looked at. */
  readonly known: ReadonlySet<string>;
  readonly words: readonly NewFrame[];
}

/**
 * Takes something out of a project's vault, so that no file of it holds the bytes any more. Every window
 * learns of it at its next look at the vault. Backups are for {@link forgetInBackups}; what the agents keep
 * themselves stays theirs.
 *
 * Of a session go its events, its snapshots, the content that only these name, and the conversations that no
 * other session has; what remains is that they are not wanted. A text gets asterisks in its place in
 * conversations, titles and lists; files and drafts that hold it go as a whole, since asterisks in them would
 * be restored.
 *
 * It has two steps, so that it can be stopped in between without anything having changed: the new files are
 * written beside the old ones, then they take their places. To be done under the vault's lock.
 */
export class Forgetting {
  private staged: Staged | undefined;
  private readonly packs: PackFolder;

  /** @throws ExpectedError `textTooShort` */
  constructor(
    private readonly what: Forgotten,
    private readonly options: ForgetOptions,
  ) {
    requireLength(what);
    this.packs = new PackFolder(join(options.folder, 'packs'));
  }

  /**
   * Writes what is to take the place of the vault's files. The vault stays as it is.
   *
   * @throws ExpectedError `damaged`; Error of the file system; the signal's reason: then nothing is left
   */
  async stage(watch: Watch = {}): Promise<void> {
    const { packs } = this;
    const { folder, wasm, io } = this.options;
    await this.look();
    await removeLeftovers(packs, io);
    const open = packs.names.filter((pack) => packs.place(pack)?.kind === 'open');
    await closePacks(packs, open, io);
    const view = await openView(folder, wasm, { io, ...watch });
    const files: StagedRewrite[] = [];
    try {
      const [problem] = view.problems;
      if (problem) throw damaged(problem);
      const change = await changeFor(this.what, view, watch.signal);
      for (const file of closedFiles(packs).keys()) {
        const staged = await stageChanged(io, packs, file, change, watch);
        if (staged) files.push(staged);
      }
      const words = wordsOn(this.what, view);
      this.staged = { files, words, known: new Set(packs.names) };
    } catch (error) {
      for (const file of files) await file.discard();
      throw error;
    } finally {
      await view.close();
    }
  }

  /** Takes back what {@link stage} did. */
  async discard(): Promise<void> {
    for (const file of this.staged?.files ?? []) await file.discard();
    this.staged = undefined;
  }

  /**
   * Lets what was staged count, and does the same to what was saved meanwhile. Not to be stopped.
   *
   * @throws ExpectedError `damaged`, `busy`; Error of the file system
   */
  async complete(watch: Pick<Watch, 'onBytes'> = {}): Promise<ForgetReport> {
    const report = { removed: 0, masked: 0, files: 0 };
    for (let round = 0; this.staged; round++) {
      if (round === ROUNDS) throw await this.giveUp();
      const { staged } = this;
      this.staged = undefined;
      const isDone = staged.files.length === 0;
      if (await this.put(staged)) {
        for (const { removed, masked } of staged.files) {
          report.removed += removed;
          report.masked += masked;
          report.files += 1;
        }
      }
      if (!isDone) await this.stage(watch);
    }
    const { folder, wasm } = this.options;
    const sql = await loadSql(wasm);
    await removeStaleImages(folder, sql, (pack) => this.packs.place(pack) !== undefined);
    return report;
  }

  /**
   * Puts the new files in the old ones' place. False when something that is saved this moment names what would be
   * gone: then all is as before. A window that saves looks after it has saved whether something is gone (see the
   * library's snapshotSaver), and here it is looked at what was saved once it is gone, so one of the two sees it.
   */
  private async put({ files, words, known }: Staged): Promise<boolean> {
    await this.say(words);
    const published = [];
    for (const file of files) published.push(await file.publish());
    const mine = files.flatMap(({ left }) => left.map(({ name }) => name));
    const gone = new Set(files.flatMap((file) => [...file.gone]));
    const isNamed = await this.isNamed(gone, new Set([...known, ...mine]));
    for (const file of published) await (isNamed ? file.takeBack() : file.finish());
    await this.look();
    return !isNamed;
  }

  private async say(words: readonly NewFrame[]): Promise<void> {
    if (words.length === 0) return;
    const { folder, io } = this.options;
    const vault = await openVault({ folder, io });
    await vault.append(words).finally(() => vault.close());
  }

  /** Whether a pack that is not among those names one of some contents. */
  private async isNamed(
    hashes: ReadonlySet<string>,
    others: ReadonlySet<string>,
  ): Promise<boolean> {
    if (hashes.size === 0) return false;
    await this.look();
    for (const pack of this.packs.names.filter((name) => !others.has(name))) {
      for await (const { type, sessionId, payload } of this.packs.frames(
        pack,
        0,
        () => undefined,
      )) {
        if (type !== FrameType.snapshot && type !== FrameType.blob) continue;
        // What goes itself in the next round keeps nothing.
        if ('session' in this.what && sessionId === this.what.session) continue;
        if (hashesIn(payload).some((hash) => hashes.has(hash))) return true;
      }
    }
    return false;
  }

  private look(): Promise<boolean> {
    return this.packs.look((problem) => {
      throw damaged(problem);
    });
  }

  private async giveUp(): Promise<ExpectedError> {
    await this.discard();
    return new ExpectedError(
      'busy',
      'Other windows save what is to be forgotten again and again.',
      [],
      {
        next: 'Close them, then forget it again.',
      },
    );
  }
}

/** As {@link Forgetting}, in one go. */
export async function forget(
  what: Forgotten,
  { watch, ...options }: ForgetOptions & { readonly watch?: Watch },
): Promise<ForgetReport> {
  const forgetting = new Forgetting(what, options);
  await forgetting.stage(watch);
  return forgetting.complete();
}

/**
 * Lets a backup's folder hold what the store holds now and nothing else: earlier backups hold what was forgotten.
 *
 * @throws ExpectedError `locked`
 */
export async function forgetInBackups(store: string, backups: string, now: number): Promise<void> {
  await backUp({ store, to: backups, now, rotate: false, waitMs: BACKUP_WAIT_MS });
  await withLock(join(backups, 'backup.lock'), { waitMs: BACKUP_WAIT_MS }, () =>
    letGo(backups, (times) => new Set([...times.keys()].slice(1))),
  );
}

/** What forgetting would take out, without taking it out. */
export interface ForgetPreview {
  readonly removed: number;
  readonly masked: number;
  /** Size of these records, snapshots and contents. */
  readonly bytes: number;
}

/**
 * Counts what {@link forget} would change. Only reads.
 *
 * @throws ExpectedError `damaged`, `textTooShort`; the signal's reason
 */
export async function previewForget(
  what: Forgotten,
  { folder, wasm }: Omit<ForgetOptions, 'io'>,
  watch: Watch = {},
): Promise<ForgetPreview> {
  requireLength(what);
  const view = await openView(folder, wasm, watch);
  try {
    const [problem] = view.problems;
    if (problem) throw damaged(problem);
    const change = await changeFor(what, view, watch.signal);
    const packs = new PackFolder(join(folder, 'packs'));
    await packs.look(() => undefined);
    const tally = { removed: 0, masked: 0, bytes: 0 };
    for (const pack of packs.names) {
      for await (const frame of packs.frames(pack, 0, () => undefined)) {
        watch.signal?.throwIfAborted();
        watch.onBytes?.(frame.end - frame.offset);
        const after = change(frame);
        if (after?.hash === frame.hash) continue;
        tally[after ? 'masked' : 'removed'] += 1;
        tally.bytes += frame.payload.length;
      }
    }
    return tally;
  } finally {
    await view.close();
  }
}

function requireLength(what: Forgotten): void {
  if (!('text' in what) || what.text.length >= SHORTEST_TEXT) return;
  throw new ExpectedError(
    'textTooShort',
    'A text of {0} characters is too short to be forgotten.',
    [what.text.length],
    {
      next: 'Name more of it: it would be found in what has nothing to do with it.',
    },
  );
}
