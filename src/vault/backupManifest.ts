import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from './writeAtomic.js';
import { codeOf } from './writeError.js';

const fileSchema = z.object({
  /** A person may have given a file any name, but not one that leads out of the folder. */
  name: z.string().regex(/^[^/\\:\0]+\.(pack|closed|sealed)$/),
  /** The file's first bytes that belong to the backup; an open pack may have grown since. */
  bytes: z.int().nonnegative(),
  /** SHA-256 (hex) of these. */
  sha256: z.string(),
});
export type BackupFile = Readonly<z.infer<typeof fileSchema>>;

const projectSchema = z.object({
  key: z.string().regex(/^[\w-]+$/),
  /** Text of `project.json`. */
  project: z.string().optional(),
  files: z.array(fileSchema).readonly(),
});

export const manifestSchema = z.object({
  schemaVersion: z.literal(1),
  /** Milliseconds since the epoch. */
  at: z.number(),
  projects: z.array(projectSchema).readonly(),
});

/** One backup: which files of the backup's folder it consists of, and up to where. */
export type BackupManifest = Readonly<z.infer<typeof manifestSchema>>;

export interface NamedManifest {
  readonly name: string;
  readonly manifest: BackupManifest;
}

export const manifestsFolder = (folder: string): string => join(folder, 'manifests');

/** A file's place in a backup's folder, as in a store. */
export const contentPath = (folder: string, key: string, name: string): string =>
  join(folder, 'projects', key, 'packs', name);

/** Names of the manifests of a backup's folder, newest first. A missing folder has none. */
export async function manifestNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(manifestsFolder(folder)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse();
}

/** Undefined when it is damaged. */
export async function readManifest(
  folder: string,
  name: string,
): Promise<BackupManifest | undefined> {
  try {
    const text = await readFile(join(manifestsFolder(folder), name), 'utf8');
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The manifests that can be read, newest first. */
export async function readManifests(folder: string): Promise<readonly NamedManifest[]> {
  const read: NamedManifest[] = [];
  for (const name of await manifestNames(folder)) {
    const manifest = await readManifest(folder, name);
    if (manifest) read.push({ name, manifest });
  }
  return read;
}

/** Names sort in the order in which the backups were made, whatever the clock said. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<string> {
  await mkdir(manifestsFolder(folder), { recursive: true, mode: 0o700 });
  const last = (await readdir(manifestsFolder(folder))).sort().at(-1) ?? '';
  const number = Number(/^\d+/.exec(last)?.[0] ?? '0') + 1;
  const date = new Date(manifest.at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `${String(number).padStart(8, '0')}-${date}.json`;
  const text = JSON.stringify(manifestSchema.parse(manifest), undefined, 2);
  await writeAtomic(join(manifestsFolder(folder), name), Buffer.from(`${text}\n`));
  return name;
}
