import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { SourceQuery } from '../source.js';
import type { Family } from './family.js';

/**
 * Folders that may hold the program's data. It goes by the XDG variables on every platform; notes on
 * Windows disagree, so the application folders are looked at too.
 */
export function dataFolders({ word }: Family, query: SourceQuery): readonly string[] {
  const { env, userHome, homes } = query;
  const roots = [
    env['XDG_DATA_HOME'],
    join(userHome, '.local', 'share'),
    env['APPDATA'],
    env['LOCALAPPDATA'],
  ];
  const own = roots.flatMap((root) =>
    root === undefined || root === '' ? [] : [join(root, word)],
  );
  return [...new Set([...own, ...homes])];
}

/** Databases of the folder, whatever channel of the program wrote them, and the one that a variable names. */
export async function databasesIn(
  family: Family,
  folder: string,
  env: SourceQuery['env'],
): Promise<readonly string[]> {
  const name = new RegExp(`^${family.word}(-[\\w.-]+)?\\.db$`);
  const files = (await namesIn(folder)).filter((file) => name.test(file));
  const other = env[family.databaseVariable];
  const named = other === undefined || other === '' || other === ':memory:' ? [] : [other];
  const paths = [...files, ...named].map((file) => (isAbsolute(file) ? file : join(folder, file)));
  return [...new Set(paths)];
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}
