import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from './writeAtomic.js';
import { codeOf } from './writeError.js';

const fileSchema = z.object({
  name: z.string().regex(/^[\w.-]+\.(pack|closed|sealed)$/),
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

/** The manifests of a backup's folder that can be read, newest first. A missing folder has none. */
export async function readManifests(folder: string): Promise<readonly NamedManifest[]> {
  const names = await readdir(manifestsFolder(folder)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const read: NamedManifest[] = [];
  for (const name of names.filter((file) => file.endsWith('.json')).sort()) {
    const manifest = parse(await readFile(join(manifestsFolder(folder), name), 'utf8'));
    if (manifest) read.push({ name, manifest });
  }
  return read.reverse();
}

/** Names sort in the order in which the backups were made, whatever the clock said. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<string> {
  await mkdir(manifestsFolder(folder), { recursive: true, mode: 0o700 });
  const last = (await readdir(manifestsFolder(folder))).sort().at(-1) ?? '';
  const number = Number(/^\d+/.exec(last)?.[0] ?? '0') + 1;
  const date = new Date(manifest.at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `${String(number).padStart(8, '0')}-${date}.json`;
  const text = JSON.stringify(manifest, undefined, 2);
  await writeAtomic(join(manifestsFolder(folder), name), Buffer.from(`${text}\n`));
  return name;
}

function parse(text: string): BackupManifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
