import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Surroundings } from '../agents/vscode-chat/stores.js';
import { userFolders } from '../agents/vscode-chat/stores.js';

const extensionId = 'keepthread.keepthread';

/**
 * The root of all vaults: `--store`, else `KEEPTHREAD_HOME`, else where the extension keeps it. Of several
 * builds of VS Code the first one that has the extension's folder is meant.
 *
 * @returns an absolute path, which need not exist.
 */
export function storeFolder(given: string | undefined, env = process.env): string {
  const named = given ?? (env['KEEPTHREAD_HOME'] || undefined);
  return named === undefined ? defaultStore({ env, userHome: homedir() }) : resolve(named);
}

export function defaultStore(
  surroundings: Surroundings,
  exists: (path: string) => boolean = existsSync,
): string {
  const candidates = userFolders(surroundings).map((user) =>
    join(user, 'globalStorage', extensionId),
  );
  return candidates.find(exists) ?? candidates[0] ?? join(surroundings.userHome, extensionId);
}
