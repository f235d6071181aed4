import { join } from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import type { Problem } from '../../core/engine.js';
import { isExpected } from '../../core/errors.js';
import { withLock } from '../../vault/lock.js';
import type { Covered } from '../../vault/search/coverage.js';
import type { ThreadFacts } from '../../vault/search/facts.js';
import type { ImageFolder } from '../../vault/search/imageFolder.js';
import type { ImageThread } from '../../vault/search/imageSchema.js';
import { ImageWriter } from '../../vault/search/imageWriter.js';
import type { Store } from '../store.js';
import type { NewRows } from './newRows.js';
import { newRows } from './newRows.js';
import type { Pause } from './readRows.js';
import { packsOf } from './readRows.js';

/** An image holds about so much text, in UTF-16 units. */
const IMAGE = 24 * 2 ** 20;
/** Text between two pauses. */
const BETWEEN_PAUSES = 64 * 2 ** 10;

export interface BuildOptions {
  readonly store: Store;
  readonly folder: ImageFolder;
  readonly sql: SqlJsStatic;
  readonly hasPack: (pack: string) => boolean;
  /** How long another process that builds is waited for, in milliseconds. */
  readonly waitMs: number;
  readonly pause: Pause;
  /** What could not be read. */
  readonly problems: Problem[];
  /** Removes an image when nobody searches it. */
  readonly remove: (name: string) => Promise<void>;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/**
 * Writes images of what conversations have that no image holds yet, the newest first. Under a lock, so that two
 * windows do not do the same work; should they, nothing is found twice (see coverage.ts).
 *
 * @param pending conversations, each with what images hold of it
 * @throws ExpectedError `locked`; `diskFull`, `notWritable` or `writeFailed`
 */
export async function buildImages(
  pending: readonly { readonly thread: ThreadFacts; readonly covered: Covered | undefined }[],
  options: BuildOptions,
): Promise<void> {
  const { folder, waitMs, problems, onProgress } = options;
  await withLock(join(folder.path, 'build.lock'), { waitMs }, async (lost) => {
    const build = new Build(options, lost);
    for (const [at, { thread, covered }] of pending.entries()) {
      onProgress?.(at, pending.length);
      try {
        await build.add(thread, covered);
      } catch (error) {
        if (!isExpected(error, 'unreadable')) throw error;
        problems.push({ where: thread.id, message: error.message });
      }
    }
    await build.write();
    onProgress?.(pending.length, pending.length);
  });
}

class Build {
  private writer = new ImageWriter();
  private packs = new Set<string>();

  constructor(
    private readonly options: BuildOptions,
    private readonly lost: AbortSignal,
  ) {}

  async add(thread: ThreadFacts, covered: Covered | undefined): Promise<void> {
    const { store, pause } = this.options;
    const packs = packsOf(store, thread);
    for await (const piece of newRows(store, thread, covered, pause)) {
      for (const pack of packs) this.packs.add(pack);
      this.writer.begin(sectionOf(thread, piece), packs, piece.at ?? thread.at ?? 0);
      let text = 0;
      for (const row of piece.rows) {
        this.writer.push(row);
        text += row.text.length;
        if (text < BETWEEN_PAUSES) continue;
        text = 0;
        await pause();
      }
      if (this.writer.text >= IMAGE) await this.write();
    }
  }

  /** Writes what was added since the last image. */
  async write(): Promise<void> {
    const { writer, packs } = this;
    if (writer.isEmpty) return;
    this.writer = new ImageWriter();
    this.packs = new Set();
    const { folder, sql, pause, hasPack } = this.options;
    const bytes = await writer.finish(sql, pause);
    this.lost.throwIfAborted();
    // Something was taken out of the vault meanwhile; what was read of it is not to be written.
    if (![...packs].every(hasPack)) return;
    await folder.add(bytes);
  }
}

const sectionOf = (thread: ThreadFacts, piece: NewRows): ImageThread => ({
  id: thread.id,
  generation: thread.generation,
  records: piece.records,
  firstRow: piece.firstRow,
  rows: piece.endRow,
  before: piece.before,
  digest: piece.digest,
  title: thread.title ?? piece.title,
  cwd: thread.cwd ?? piece.cwd,
  branch: thread.branch ?? piece.branch,
});
