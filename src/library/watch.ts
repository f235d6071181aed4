import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Time for a writer to finish its line before we look. */
const SETTLE_MS = 150;

/**
 * Calls back when something below the folders changes, or one of the files among them, and at every
 * `pollMs` besides: watchers miss things on network disks, and stop when a folder is replaced. What
 * does not exist is looked for at each poll.
 */
export class FolderWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly poll: NodeJS.Timeout;
  private settle: NodeJS.Timeout | undefined;

  constructor(
    private readonly folders: () => readonly string[],
    private readonly onChange: () => void,
    pollMs: number,
  ) {
    this.poll = setInterval(() => {
      void this.attach();
      this.onChange();
    }, pollMs);
    this.poll.unref();
    void this.attach();
  }

  close(): void {
    clearInterval(this.poll);
    clearTimeout(this.settle);
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private async attach(): Promise<void> {
    for (const folder of this.folders()) {
      if (this.watchers.has(path.resolve(folder))) continue;
      const kind = await kindOf(folder);
      if (kind === undefined) continue;
      try {
        const options = { recursive: kind === 'folder', persistent: false };
        const watcher = watch(folder, options, (event) => {
          // A file that was replaced is another one now.
          if (kind === 'file' && event === 'rename') this.drop(path.resolve(folder));
          this.soon();
        });
        watcher.on('error', () => this.drop(path.resolve(folder)));
        this.watchers.set(path.resolve(folder), watcher);
      } catch {
        // Out of watches, or gone in between: the poll sees to it.
      }
    }
  }

  private drop(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  private soon(): void {
    this.settle ??= setTimeout(() => {
      this.settle = undefined;
      this.onChange();
    }, SETTLE_MS);
  }
}

async function kindOf(place: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await stat(place)).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}
