import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import { oldBackups } from '../core/retention.js';
import { copyStart, growTo, hashOfStart, linkOrCopy } from './backupFile.js';
import type { BackupFile, BackupManifest, NamedManifest } from './backupManifest.js';
import {
  contentPath,
  manifestNames,
  manifestsFolder,
  readManifest,
  readManifests,
  writeManifest,
} from './backupManifest.js';
import { withLock } from './lock.js';
import { PackFolder } from './packFolder.js';
import { projectFile, readProjects } from './projectFile.js';
import { checkFrames } from './reader.js';
import { requireEmpty } from './repair.js';
import { writeAtomic } from './writeAtomic.js';
import { codeOf } from './writeError.js';

export interface BackupReport {
  readonly manifest: string;
  readonly projects: number;
  readonly files: number;
  readonly bytes: number;
  /** Of these, the bytes that were written now. */
  readonly copied: number;
  /** Files that could not be read, and so are not in the backup. */
  readonly problems: readonly Problem[];
}

export interface BackupOptions {
  readonly store: string;
  /** The backup's folder. */
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Lets go of older backups: 5 and one a day for a week stay. */
  readonly rotate: boolean;
  /** How long another process that backs up there is waited for, in milliseconds; absent: not at all. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Where backups are made without being asked for. */
export const automaticBackups = (store: string): string => join(store, 'backups');

/** A project's files may change that often while they are backed up: each is collected or sealed seldom. */
const ATTEMPTS = 5;

/**
 * Backs a store up into a folder that may hold earlier backups. Files that nobody changes any more are linked, or
 * copied once where the file system has no links; of those that grow, what is new is copied. So a backup costs
 * what was saved since the last one, and a manifest with the hash of everything.
 *
 * @throws ExpectedError `locked` when another process backs up into the folder
 */
export async function backUp(options: BackupOptions): Promise<BackupReport> {
  const { store, to, now, rotate, waitMs = 0 } = options;
  await mkdir(to, { recursive: true, mode: 0o700 });
  return withLock(join(to, 'backup.lock'), { waitMs, signal: options.signal }, async () => {
    const known = knownHashes(await readManifests(to));
    const projects: BackupManifest['projects'][number][] = [];
    const problems: Problem[] = [];
    let copied = 0;
    for (const { key } of await readProjects(store)) {
      const project = await backUpProject(options, key, known);
      projects.push({ key, project: project.text, files: project.files });
      problems.push(...project.problems);
      copied += project.copied;
    }
    const manifest = await writeManifest(to, { schemaVersion: 1, at: now, projects });
    if (rotate) await letGo(to, oldBackups);
    const files = projects.flatMap((project) => project.files);
    return {
      manifest,
      projects: projects.length,
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      copied,
      problems,
    };
  });
}

/** Removes backups and what no other one needs. `drop` is given their times, newest first. */
export async function letGo(
  folder: string,
  drop: (times: readonly number[]) => ReadonlySet<number>,
): Promise<void> {
  const manifests = await readManifests(folder);
  const dropped = drop(manifests.map(({ manifest }) => manifest.at));
  const kept: NamedManifest[] = [];
  for (const [at, named] of manifests.entries()) {
    if (dropped.has(at)) await rm(join(manifestsFolder(folder), named.name), { force: true });
    else kept.push(named);
  }
  const needed = new Set(kept.flatMap(({ manifest }) => pathsOf(folder, manifest)));
  const projects = join(folder, 'projects');
  const entries = await readdir(projects, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !needed.has(path)) await rm(path, { force: true });
  }
}

/** What of a backup is not as its manifest says. */
export async function verifyBackup(
  folder: string,
  manifest: BackupManifest,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { key, files } of manifest.projects) {
    for (const { name, bytes, sha256 } of files) {
      const path = contentPath(folder, key, name);
      const hash = await hashOfStart(path, bytes).catch(messageOf);
      if (hash === sha256) continue;
      problems.push({ where: path, message: 'It is not as it was when it was backed up.' });
    }
  }
  return problems;
}

export interface RestoreReport {
  readonly manifest: string;
  readonly at: number;
  readonly projects: number;
  readonly files: number;
  readonly bytes: number;
  /** Newer backups that were not used, because they are damaged. */
  readonly passedOver: readonly string[];
}

/**
 * Makes a store of the newest backup that is whole.
 *
 * @param to a folder that is empty or not there
 * @param name the manifest of another backup than the newest
 * @throws ExpectedError `notEmpty`, `noBackup`
 */
export async function restoreBackup(
  folder: string,
  to: string,
  name?: string,
): Promise<RestoreReport> {
  await requireEmpty(to);
  const passedOver: string[] = [];
  const all = await manifestNames(folder);
  const asked = name === undefined ? all : all.filter((candidate) => isNamed(candidate, name));
  if (name !== undefined && asked.length === 0) throw noSuchBackup(folder, name, all);
  for (const candidate of asked) {
    const manifest = await readManifest(folder, candidate);
    if (!manifest || (await verifyBackup(folder, manifest)).length > 0) {
      passedOver.push(candidate);
      continue;
    }
    await restoreFrom(folder, manifest, to);
    const files = manifest.projects.flatMap((project) => project.files);
    return {
      manifest: candidate,
      at: manifest.at,
      projects: manifest.projects.length,
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      passedOver,
    };
  }
  throw passedOver.length === 0
    ? new ExpectedError('noBackup', 'There is no backup in {0}.', [folder])
    : new ExpectedError('noBackup', 'No backup in {0} is whole ({1} looked at).', [
        folder,
        passedOver.length,
      ]);
}

/** With or without its ending. */
const isNamed = (manifest: string, name: string): boolean =>
  manifest === name || manifest === `${name}.json`;

const noSuchBackup = (folder: string, name: string, all: readonly string[]): ExpectedError =>
  new ExpectedError(
    'noBackup',
    'There is no backup {0} in {1}.',
    [name, folder],
    all.length === 0 ? {} : { next: `Name one of: ${all.slice(0, 10).join(', ')}.` },
  );

async function restoreFrom(folder: string, { projects }: BackupManifest, to: string) {
  for (const { key, project, files } of projects) {
    for (const { name, bytes, sha256 } of files) {
      const from = contentPath(folder, key, name);
      const hash = await copyStart(from, contentPath(to, key, name), bytes);
      if (hash !== sha256) {
        throw new ExpectedError('damaged', 'The backup changed while it was read: {0}', [from]);
      }
    }
    if (project !== undefined) await writeAtomic(projectFile(to, key), Buffer.from(project));
  }
}

interface BackedUp {
  readonly text: string | undefined;
  readonly files: readonly BackupFile[];
  readonly copied: number;
  readonly problems: readonly Problem[];
}

async function backUpProject(
  options: BackupOptions,
  key: string,
  known: ReadonlyMap<string, BackupFile>,
): Promise<BackedUp> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptProject(options, key, known);
    } catch (error) {
      // Collection has put another file in the place of one that was listed.
      if (codeOf(error) !== 'ENOENT' || attempt >= ATTEMPTS) throw error;
    }
  }
}

async function attemptProject(
  { store, to, signal }: BackupOptions,
  key: string,
  known: ReadonlyMap<string, BackupFile>,
): Promise<BackedUp> {
  const source = projectFile(store, key);
  const packs = new PackFolder(join(dirname(source), 'packs'));
  await packs.look(() => undefined);
  const open: string[] = [];
  const immutable = new Set<string>();
  for (const pack of packs.names) {
    const place = packs.place(pack);
    if (place?.kind === 'open') open.push(place.path);
    else if (place) immutable.add(place.path);
  }
  const files: BackupFile[] = [];
  const problems: Problem[] = [];
  let copied = 0;
  const each = async (
    path: string,
    copy: (target: string) => Promise<Omit<BackupFile, 'name'> & { readonly copied: number }>,
  ): Promise<void> => {
    signal?.throwIfAborted();
    const name = basename(path);
    try {
      const { copied: more, ...file } = await copy(contentPath(to, key, name));
      files.push({ name, ...file });
      copied += more;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOSPC') throw error;
      problems.push({ where: path, message: messageOf(error) });
    }
  };
  for (const path of open) await each(path, (target) => copyOpen(path, target));
  for (const path of immutable) {
    const before = known.get(`${key}/${basename(path)}`);
    await each(path, (target) => copyImmutable(path, target, before));
  }
  const text = await readFile(source, 'utf8').catch(() => undefined);
  return { text, files, copied, problems };
}

async function copyOpen(path: string, target: string) {
  const bytes = await checkFrames(path, () => undefined);
  const copied = await growTo(path, target, bytes);
  return { bytes, sha256: await hashOfStart(target, bytes), copied };
}

async function copyImmutable(path: string, target: string, before: BackupFile | undefined) {
  const { size: bytes } = await stat(path);
  const isThere = (await sizeOf(target)) === bytes;
  const copied = isThere ? 0 : await replace(path, target);
  const isKnown = isThere && before?.bytes === bytes;
  return { bytes, sha256: isKnown ? before.sha256 : await hashOfStart(path, bytes), copied };
}

async function replace(from: string, to: string): Promise<number> {
  await rm(to, { force: true });
  return linkOrCopy(from, to);
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

/** Hashes of files that were backed up before, by project and name. */
const knownHashes = (manifests: readonly NamedManifest[]): ReadonlyMap<string, BackupFile> =>
  new Map(
    manifests.flatMap(({ manifest }) =>
      manifest.projects.flatMap(({ key, files }) =>
        files.map((file) => [`${key}/${file.name}`, file] as const),
      ),
    ),
  );

const pathsOf = (folder: string, { projects }: BackupManifest): readonly string[] =>
  projects.flatMap(({ key, files }) => files.map(({ name }) => contentPath(folder, key, name)));
