import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import { writeAtomic } from '../writeAtomic.js';
import { codeOf } from '../writeError.js';
import { SearchImage } from './image.js';
import { imageExtension } from './imageFile.js';
import type { ImageThread } from './imageSchema.js';

/** The folder of a project's images, beside its packs. */
export const imagesOf = (projectFolder: string): string => join(projectFolder, 'search');

/** What is known of an image without its being loaded. */
export interface ImageEntry {
  readonly name: string;
  readonly threads: readonly ImageThread[];
  readonly packs: readonly string[];
  /** Bytes of its terms. */
  readonly terms: number;
}

/** The search images of one project. */
export class ImageFolder {
  private readonly known = new Map<string, ImageEntry>();
  /** The least recently used first. */
  private readonly loaded = new Map<string, SearchImage>();
  /** Files of a newer version, which are left to it. */
  private readonly others = new Set<string>();

  constructor(
    readonly path: string,
    private readonly sql: SqlJsStatic,
  ) {}

  get entries(): readonly ImageEntry[] {
    return [...this.known.values()];
  }

  /**
   * Looks which images there are. One that is damaged or of an older version, or was made of packs that are not
   * there any more because something was taken out of them, is removed.
   *
   * @param hasPack whether a pack is there
   * @param mayWrite absent: what is to be removed is only passed over
   */
  async look(hasPack: (pack: string) => boolean, mayWrite: boolean): Promise<readonly Problem[]> {
    const problems: Problem[] = [];
    const names = await this.list(problems);
    for (const name of this.known.keys()) {
      if (!names.includes(name)) await this.forget(name);
    }
    for (const name of names) {
      if (this.others.has(name)) continue;
      try {
        const entry = this.known.get(name) ?? (await this.open(name));
        const isStale = entry !== 'newer' && (!entry || !entry.packs.every(hasPack));
        if (isStale) await this.drop(name, mayWrite);
      } catch (error) {
        // Another process may have removed it.
        if (codeOf(error) === 'ENOENT') await this.forget(name);
        else problems.push({ where: join(this.path, name), message: messageOf(error) });
      }
    }
    return problems;
  }

  /** An image, loaded if it is not; undefined when it is not there any more. */
  async image(name: string): Promise<SearchImage | undefined> {
    const loaded = this.loaded.get(name);
    if (loaded) {
      this.loaded.delete(name);
      this.loaded.set(name, loaded);
      return loaded;
    }
    const opened = await SearchImage.open(join(this.path, name), this.sql).catch(() => undefined);
    if (!opened || typeof opened === 'string') return undefined;
    this.loaded.set(name, opened);
    return opened;
  }

  /**
   * Writes an image. Its name is made of its content, so two processes that make the same one make one file.
   *
   * @throws ExpectedError `diskFull`, `notWritable` or `writeFailed`
   */
  async add(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const name = `${hash.slice(0, 32)}${imageExtension}`;
    await writeAtomic(join(this.path, name), bytes);
    return name;
  }

  async remove(name: string): Promise<void> {
    await this.drop(name, true);
  }

  /** Lets go of memory, of what was used longest ago first, until so many bytes stay. */
  async release(keepBytes: number): Promise<void> {
    let bytes = [...this.loaded.values()].reduce((sum, image) => sum + image.bytes, 0);
    for (const [name, image] of this.loaded) {
      if (bytes <= keepBytes) return;
      bytes -= image.bytes;
      this.loaded.delete(name);
      await image.close();
    }
  }

  private async open(name: string): Promise<ImageEntry | 'newer' | undefined> {
    const image = await SearchImage.open(join(this.path, name), this.sql);
    if (image === 'newer') {
      this.others.add(name);
      return image;
    }
    if (typeof image === 'string') return undefined;
    const { threads, packs, terms } = image;
    const entry = { name, threads, packs, terms };
    this.known.set(name, entry);
    this.loaded.set(name, image);
    return entry;
  }

  private async drop(name: string, mayWrite: boolean): Promise<void> {
    await this.forget(name);
    if (mayWrite) await rm(join(this.path, name), { force: true });
  }

  private async forget(name: string): Promise<void> {
    this.known.delete(name);
    const image = this.loaded.get(name);
    this.loaded.delete(name);
    await image?.close();
  }

  private async list(problems: Problem[]): Promise<readonly string[]> {
    try {
      return (await readdir(this.path)).filter((name) => name.endsWith(imageExtension)).sort();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        problems.push({ where: this.path, message: messageOf(error) });
      }
      return [];
    }
  }
}

/**
 * Removes the images that hold something of packs that are not there any more, those of which it cannot be told,
 * and what killed writes left, so that nothing that was taken out of the vault is in them.
 *
 * @throws Error when one of them cannot be removed
 */
export async function removeStaleImages(
  projectFolder: string,
  sql: SqlJsStatic,
  hasPack: (pack: string) => boolean,
): Promise<void> {
  const folder = imagesOf(projectFolder);
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const path = join(folder, name);
    if (name.endsWith(imageExtension)) {
      const image = await SearchImage.open(path, sql).catch(() => undefined);
      const isSound = image instanceof SearchImage && image.packs.every(hasPack);
      if (image instanceof SearchImage) await image.close();
      if (isSound) continue;
    }
    if (name.endsWith('.lock')) continue;
    await rm(path, { force: true });
  }
}
