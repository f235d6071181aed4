import type { SearchRow } from '../../core/search/rows.js';
import type { SearchImage } from '../../vault/search/image.js';

/** Blocks that stay decoded. */
const KEPT = 128;

/** Blocks of images, the last ones kept: the next key that is pressed looks at many of them again. */
export class Blocks {
  private readonly kept = new Map<string, Promise<readonly SearchRow[]>>();

  /** @throws Error when the block is damaged */
  read(name: string, image: SearchImage, block: number): Promise<readonly SearchRow[]> {
    const key = `${name} ${block}`;
    const known = this.kept.get(key);
    const rows = known ?? image.block(block);
    rows.catch(() => this.kept.delete(key));
    this.kept.delete(key);
    this.kept.set(key, rows);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return rows;
  }

  clear(): void {
    this.kept.clear();
  }
}
