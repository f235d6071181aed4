import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FoundThread, Source } from '../../src/agents/source.js';
import { writeDatabase } from '../../src/agents/sqlite/testDatabase.js';
import type { Thread } from '../../src/core/model/thread.js';

/** A source over a home folder of a test's own. */
export const sourceOn = (source: Source, home: string, folder = '/home/user/project') => ({
  find: (folders: readonly string[] = [folder], env: Readonly<Record<string, string>> = {}) =>
    source.find({ folders, homes: [], env, userHome: home }),

  thread: async (found: FoundThread): Promise<Thread> => {
    const parser = source.parser(found.nativeId);
    for (const record of (await source.read(found, undefined)).records) parser.push(record);
    const lean = source.parser(found.nativeId, { turns: false });
    for (const record of (await source.read(found, undefined)).records) lean.push(record);
    const whole = parser.thread();
    const { counts } = lean.thread({ turns: false });
    if (JSON.stringify(counts) !== JSON.stringify(whole.counts)) {
      throw new Error(`Without turns the counts are others: ${JSON.stringify(counts)}`);
    }
    return whole;
  },

  file: async (name: string, text: string): Promise<string> => {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  },

  database: async (name: string, script: string): Promise<string> => {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeDatabase(path, script);
    return path;
  },
});

export const quoted = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
};

export const insert = (table: string, row: Readonly<Record<string, unknown>>): string =>
  `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row).map(quoted).join()})`;
