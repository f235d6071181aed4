import { readdirSync } from 'node:fs';
import path from 'node:path';
import { hostRun } from './hostRun.js';

/** Everything that this VS Code and its extensions have written, whichever kind of VS Code it is. */
export const editorData = path.join(path.dirname(hostRun.results), 'editor');

/** The extension's global storage, once something was saved. */
export function storeFolder(): string {
  const below = readdirSync(editorData, { recursive: true, encoding: 'utf8' });
  const found = below.find((name) =>
    name.endsWith(path.join('globalStorage', 'keepthread.keepthread')),
  );
  if (found === undefined) throw new Error('Nothing was saved yet.');
  return path.join(editorData, found);
}
