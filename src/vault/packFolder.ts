import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { closedName, packOf } from './packFile.js';
import { readFrameAt, readFrames, readPackHead, unreadableFrame } from './reader.js';
import { sealedExtension, temporaryExtension } from './sealedFile.js';
import { SealedFile } from './sealedReader.js';
import type { Frame, FrameRef } from './types.js';
import { codeOf } from './writeError.js';

/** Where a pack is: in a file of its own, which a process may append to or which is closed, or sealed. */
export type PackPlace =
  | { readonly kind: 'open' | 'closed'; readonly path: string }
  | { readonly kind: 'sealed'; readonly path: string; readonly file: SealedFile };

/**
 * The packs of a folder, wherever each of them is. A pack keeps its name and its frames their offsets
 * when it is closed and when it is sealed; only when frames are taken out of it, it gets another name.
 */
export class PackFolder {
  private places: ReadonlyMap<string, PackPlace> = new Map();
  private sealed: ReadonlyMap<string, SealedFile> = new Map();
  private unused: readonly string[] = [];
  private newer = false;

  constructor(readonly path: string) {}

  /** Names of the packs as of the last look, oldest first. */
  get names(): readonly string[] {
    return [...this.places.keys()];
  }

  /** The sealed files as of the last look, oldest first. */
  get sealedFiles(): readonly SealedFile[] {
    return [...this.sealed.values()];
  }

  /** Names of files that do not count: replaced or doubled by others, empty, or never completed. */
  get leftovers(): readonly string[] {
    return this.unused;
  }

  /** Whether a newer version has sealed packs here. */
  get hasNewer(): boolean {
    return this.newer;
  }

  place(pack: string): PackPlace | undefined {
    return this.places.get(pack);
  }

  /** Length of a pack as it was first written; 0 when it cannot be told. */
  async sizeOf(pack: string): Promise<number> {
    const place = this.places.get(pack);
    if (place?.kind === 'sealed') return place.file.endOf(pack);
    return place
      ? stat(place.path).then(
          ({ size }) => size,
          () => 0,
        )
      : 0;
  }

  /**
   * Looks which packs there are. A folder that is not there has none; one that was there before may be on a
   * disk that was taken out.
   *
   * @returns false when that could not be found out; what was known stays
   */
  async look(onProblem: (problem: Problem) => void): Promise<boolean> {
    const files = await this.list(onProblem);
    if (!files) return false;
    const sealed = await this.openSealed(files, onProblem);
    const gone = new Set([...sealed.values()].flatMap(({ replaces }) => replaces));
    for (const name of gone) sealed.delete(name);
    const places = new Map<string, PackPlace>();
    for (const file of sealed.values()) {
      for (const pack of file.names) places.set(pack, { kind: 'sealed', path: file.path, file });
    }
    for (const name of files) {
      const pack = packOf(name);
      if (pack === undefined || gone.has(name)) continue;
      // While a pack's own file is there, it is as good as the sealed one, and no sealed one is needed.
      const kind = pack === name ? 'open' : 'closed';
      places.set(pack, { kind, path: join(this.path, name) });
    }
    this.sealed = sealed;
    const used = new Set([...places.values()].map(({ path }) => path));
    const isUnused = ({ path, replaces }: SealedFile): boolean =>
      !used.has(path) && !replaces.some((name) => files.includes(name));
    this.unused = files.filter((name) => {
      const file = sealed.get(name);
      const isHalf = name.endsWith(sealedExtension + temporaryExtension);
      return gone.has(name) || isHalf || (file !== undefined && isUnused(file));
    });
    this.places = new Map([...places].sort(([a], [b]) => (a < b ? -1 : 1)));
    return true;
  }

  /**
   * A pack's frames from an offset on, see `readFrames`.
   *
   * @throws Error of the file system when the file cannot be read
   */
  async *frames(
    pack: string,
    from: number,
    onProblem: (problem: Problem) => void,
  ): AsyncGenerator<Frame, void, undefined> {
    const place = this.places.get(pack);
    if (place?.kind === 'sealed') yield* place.file.frames(pack, from, onProblem);
    else yield* readFrames(place?.path ?? join(this.path, pack), from, onProblem, pack);
  }

  /**
   * One frame by its place, also when its pack was closed or sealed since the last look.
   *
   * @throws ExpectedError `unreadable`
   */
  async frameAt(ref: FrameRef): Promise<Frame> {
    try {
      return await this.readAt(ref);
    } catch (error) {
      const before = this.places.get(ref.pack)?.path;
      await this.look(() => undefined);
      const now = this.places.get(ref.pack)?.path;
      if (now === before) throw error;
      return this.readAt(ref);
    }
  }

  private async readAt(ref: FrameRef): Promise<Frame> {
    const place = this.places.get(ref.pack);
    if (place?.kind === 'sealed') return place.file.frameAt(ref);
    if (!place) throw unreadableFrame(ref, 'its file is not there');
    return readFrameAt(place.path, ref.offset, ref.pack);
  }

  private async list(
    onProblem: (problem: Problem) => void,
  ): Promise<readonly string[] | undefined> {
    try {
      return (await readdir(this.path)).sort();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return this.places.size === 0 ? [] : undefined;
      onProblem({ where: this.path, message: messageOf(error) });
      return undefined;
    }
  }

  private async openSealed(
    files: readonly string[],
    onProblem: (problem: Problem) => void,
  ): Promise<Map<string, SealedFile>> {
    const opened = new Map<string, SealedFile>();
    for (const name of files.filter((file) => file.endsWith(sealedExtension))) {
      const known = this.sealed.get(name);
      try {
        const file = known ?? (await this.openOne(name, onProblem));
        if (!file) continue;
        opened.set(name, file);
        file.problems.forEach(onProblem);
      } catch (error) {
        // It may be replaced this moment.
        if (codeOf(error) !== 'ENOENT') onProblem({ where: name, message: messageOf(error) });
      }
    }
    return opened;
  }

  private async openOne(
    name: string,
    onProblem: (problem: Problem) => void,
  ): Promise<SealedFile | undefined> {
    const path = join(this.path, name);
    if ((await readPackHead(path)) !== 'newer') return SealedFile.open(path);
    this.newer = true;
    onProblem({ where: name, message: writtenByNewer });
    return undefined;
  }
}

export const writtenByNewer = 'A newer version of Keepthread has written it; it was not read.';

/** The file that a pack is moved to when nothing more is to be appended to it. */
export const closedPath = (folder: string, pack: string): string => join(folder, closedName(pack));
