import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../core/errors.js';
import { codeOf } from './writeError.js';

/** A git history that a project was seen with. */
const historySchema = z.object({
  /** Empty where it is not known: a shallow clone lacks it, a new repository has none yet. */
  rootCommit: z.string(),
  /** Host and path of the remote, see `remoteName`. */
  remote: z.string().optional(),
});
export type History = z.infer<typeof historySchema>;

/** A folder that a project was seen in. */
const placeSchema = z.object({
  uri: z.string(),
  /** Device, inode and time of birth (nanoseconds), where the file system has them. */
  inode: z.string().optional(),
  /** URIs that the same folder had before it was moved, oldest first. */
  former: z.array(z.string()).optional(),
});
export type FolderPlace = z.infer<typeof placeSchema>;

/** `project.json`: what a project is recognised by. Lists are in the order in which things were seen. */
export const projectSchema = z.object({
  schemaVersion: z.literal(1),
  histories: z.array(historySchema).readonly(),
  folders: z.array(placeSchema).readonly(),
  /** URIs of folders that a person attached to this project. */
  attached: z.array(z.string()).readonly(),
});
export type ProjectIdentities = z.infer<typeof projectSchema>;

export interface KnownProject {
  readonly key: string;
  readonly state: 'known';
  readonly identities: ProjectIdentities;
}

/** A project whose file tells us nothing. */
interface UnreadProject {
  readonly key: string;
  readonly state: 'newer' | 'damaged' | 'unreadable';
  readonly message: string;
}

/** A project's folder without a `project.json`. */
interface BareProject {
  readonly key: string;
  readonly state: 'bare';
}

export type Registered = KnownProject | UnreadProject | BareProject;

export const projectFile = (store: string, key: string): string =>
  join(store, 'projects', key, 'project.json');

/** A file of ours is far below this; more is not read. */
const LARGEST = 2 ** 20;

/** All projects of a store, in the order of their keys. A missing store has none. */
export async function readProjects(store: string): Promise<readonly Registered[]> {
  const keys = await readdir(join(store, 'projects')).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(keys.sort().map((key) => readProject(store, key)));
}

async function readProject(store: string, key: string): Promise<Registered> {
  const path = projectFile(store, key);
  try {
    const found = await lstat(path);
    if (!found.isFile()) return { key, state: 'damaged', message: 'It is not a file.' };
    if (found.size > LARGEST) return { key, state: 'damaged', message: 'It is too large.' };
    return parseProject(key, await readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { key, state: 'bare' };
    return { key, state: 'unreadable', message: messageOf(error) };
  }
}

const versionSchema = z.object({ schemaVersion: z.number() });

function parseProject(key: string, text: string): Registered {
  const value = parseJson(text);
  const project = projectSchema.safeParse(value);
  if (project.success) return { key, state: 'known', identities: project.data };
  const version = versionSchema.safeParse(value);
  if (version.success && version.data.schemaVersion > 1) {
    return { key, state: 'newer', message: 'A newer version of Keepthread has written it.' };
  }
  return { key, state: 'damaged', message: 'It is damaged.' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
