import { readFile, stat } from 'node:fs/promises';

/** Reads small files of an agent's store, each only once while it stays the same. */
export class SmallFiles {
  private readonly known = new Map<string, { readonly stamp: string; readonly text: string }>();

  /** The text of a file; undefined when there is none. */
  async read(path: string): Promise<string | undefined> {
    try {
      const { ino, size, mtimeMs } = await stat(path);
      const stamp = [ino, size, mtimeMs].join(' ');
      const before = this.known.get(path);
      if (before?.stamp === stamp) return before.text;
      const text = await readFile(path, 'utf8');
      this.known.set(path, { stamp, text });
      return text;
    } catch {
      return undefined;
    }
  }
}
