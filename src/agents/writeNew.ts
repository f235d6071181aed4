import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { ExpectedError, isExpected, messageOf } from '../core/errors.js';
import { conversionReportSchema } from '../core/model/conversion.js';
import { hashOf, stillThere } from './fingerprint.js';
import { runImporter } from './importer.js';
import { refuseWhileRunning } from './running.js';
import type { Converted, NewFile } from './target.js';

const writtenSchema = z.object({
  schemaVersion: z.literal(1),
  agent: z.string(),
  nativeId: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Id of the thread that goes on there. */
  from: z.string(),
  cwd: z.string(),
  report: conversionReportSchema,
  files: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.number() })),
  /** Folders that were made for them. */
  folders: z.array(z.string()),
  /** What the agent's own command took in, and the command that throws it away. */
  imported: z
    .object({
      remove: z.array(z.string()),
      /** Of its turns, as its source read them; absent: it did not come so far. */
      fingerprint: z.string().optional(),
      userHome: z.string(),
    })
    .optional(),
});

/** What one continuation wrote into another program's store, so that it can be taken back. */
export type Written = z.infer<typeof writtenSchema>;

/** Where the lists of what was written are kept, below the store's root. */
const listsOf = (store: string): string => join(store, 'continued');

const listOf = (store: string, { agent, nativeId, at }: Written): string =>
  join(listsOf(store), `${agent}-${nativeId.replace(/[^A-Za-z0-9_-]/g, '_')}-${at}.json`);

/**
 * Writes a new session: each file under a name that nothing had, whole or not at all, for its owner
 * only; or gives it to the agent's own command, where only that writes its store. The list of what is
 * written is on the disk before the first of it is. When one part cannot be written, those that were
 * are removed again.
 *
 * @throws ExpectedError `exists` when a file is there already, `notWritten` when the disk refuses,
 * `notInstalled` or `importFailed` when the agent's command does
 */
export async function writeNew(
  store: string,
  converted: Converted,
  from: string,
): Promise<Written> {
  const { agent, nativeId, cwd, home, report, importer, userHome } = converted;
  const isImport = importer !== undefined;
  const files = isImport ? [] : converted.files;
  const placed = files.map((file) => ({ ...file, path: placeOf(home, file) }));
  const written: Written = {
    schemaVersion: 1,
    agent,
    nativeId,
    at: Date.now(),
    from,
    cwd,
    report,
    files: placed.map(({ path, bytes }) => ({ path, sha256: hashOf(bytes), bytes: bytes.length })),
    folders: await missingFolders(placed.map(({ path }) => dirname(path))),
    ...(isImport && { imported: { remove: [...importer.remove], userHome } }),
  };
  const done: string[] = [];
  try {
    await writeFresh(listOf(store, written), listBytes(written));
    for (const { path, bytes } of placed) {
      await writeFresh(path, bytes);
      done.push(path);
    }
    return isImport ? await takenIn(store, converted, written) : written;
  } catch (error) {
    const ours = { ...written, files: written.files.filter(({ path }) => done.includes(path)) };
    await takeBack(store, ours, converted.env);
    throw isExpected(error) ? error : writeFailed(error);
  }
}

const listBytes = (written: Written): Uint8Array =>
  Buffer.from(`${JSON.stringify(written, undefined, 2)}\n`);

/** Lets the agent's own command take a file in, which is ours and goes again. */
async function takenIn(store: string, converted: Converted, written: Written): Promise<Written> {
  const [file] = converted.files;
  const { importer, cwd, env, userHome } = converted;
  if (file === undefined || importer === undefined || written.imported === undefined) {
    return written;
  }
  const path = `${listOf(store, written)}.import`;
  try {
    await writeFresh(path, file.bytes);
    await runImporter([...importer.take, path], { cwd, env });
  } finally {
    await rm(path, { force: true });
  }
  const fingerprint = await stillThere(written, { env, userHome });
  const whole = { ...written, imported: { ...written.imported, fingerprint } };
  await rm(listOf(store, written));
  await writeFresh(listOf(store, whole), listBytes(whole));
  return whole;
}

/**
 * Removes what a continuation wrote, as far as it still is ours: a file byte for byte, an imported
 * session turn for turn. What the agent has gone on with stays. Answers with what was removed and what
 * stays.
 */
export async function takeBack(
  store: string,
  written: Written,
  env: Converted['env'] = process.env,
): Promise<{ readonly removed: readonly string[]; readonly kept: readonly string[] }> {
  const removed: string[] = [];
  const kept: string[] = [];
  for (const { path, sha256 } of written.files) {
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) continue;
    if (hashOf(bytes) !== sha256) kept.push(path);
    else {
      await rm(path);
      removed.push(path);
    }
  }
  if (written.imported !== undefined) await removeImported(written, env, removed, kept);
  // A folder in which something else has been put meanwhile stays.
  for (const folder of written.folders.toReversed()) await rmdir(folder).catch(() => undefined);
  if (kept.length === 0) await rm(listOf(store, written), { force: true });
  return { removed, kept };
}

async function removeImported(
  written: Written,
  env: Converted['env'],
  removed: string[],
  kept: string[],
): Promise<void> {
  const { imported, cwd, nativeId } = written;
  if (imported === undefined) return;
  const now = await stillThere(written, { env, userHome: imported.userHome });
  if (now === undefined) return;
  if (imported.fingerprint !== undefined && now !== imported.fingerprint) kept.push(nativeId);
  else {
    await runImporter(imported.remove, { cwd, env });
    removed.push(nativeId);
  }
}

/**
 * {@link takeBack} by the session's id.
 *
 * @throws ExpectedError `notOurs`, or `agentRunning` while the agent works on it
 */
export async function undoWritten(
  store: string,
  agent: string | undefined,
  nativeId: string,
): ReturnType<typeof takeBack> {
  const written = (await listWritten(store)).find(
    (one) => one.nativeId === nativeId && (agent === undefined || one.agent === agent),
  );
  if (written === undefined) {
    throw new ExpectedError('notOurs', 'Keepthread wrote no session {0}.', [nativeId]);
  }
  const files = written.files.map(({ path }) => path);
  await refuseWhileRunning({ agent: written.agent, nativeId, files });
  return takeBack(store, written);
}

/** Everything that was written into agents' stores and not taken back, newest first. */
export async function listWritten(store: string): Promise<readonly Written[]> {
  const names = await readdir(listsOf(store)).catch(() => []);
  const all: Written[] = [];
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const text = await readFile(join(listsOf(store), name), 'utf8').catch(() => '');
    const list = writtenSchema.safeParse(parsed(text));
    if (list.success) all.push(list.data);
  }
  return all.sort((a, b) => b.at - a.at);
}

/**
 * A file that was not there: written beside its name, on the disk, then given the name by a link, which
 * unlike a rename never replaces. Where links are not to be had it is written under its name at once.
 */
async function writeFresh(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeWhole(temporary, bytes);
  try {
    await link(temporary, path).catch(async (error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error;
      await writeWhole(path, bytes);
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    // An odd umask takes bits away.
    if (process.platform !== 'win32') await handle.chmod(0o600);
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** The outermost missing folder comes first, so that they can be removed from the end. */
async function missingFolders(folders: readonly string[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const folder of folders) {
    const chain: string[] = [];
    for (let at = folder; !(await isThere(at)) && dirname(at) !== at; at = dirname(at)) {
      chain.unshift(at);
    }
    for (const one of chain) missing.add(one);
  }
  return [...missing];
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** @throws Error for a name that leads out of the agent's home, whatever it was made from */
function placeOf(home: string, { path }: NewFile): string {
  if (isAbsolute(path)) return path;
  const place = join(home, path);
  const inside = relative(home, place);
  if (isAbsolute(inside) || inside.split(sep)[0] === '..') {
    throw new Error(`${path} leads out of ${home}`);
  }
  return place;
}

function writeFailed(error: unknown): ExpectedError {
  const path = errorPath(error) ?? '';
  if (codeOf(error) === 'EEXIST') {
    return new ExpectedError('exists', '{0} is there already. Nothing was changed.', [path], {
      cause: error,
    });
  }
  return new ExpectedError('notWritten', 'The conversation could not be written: {0}', [
    messageOf(error),
  ]);
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Of a link, the name that it was to get. */
const errorPath = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const path = 'dest' in error ? error.dest : 'path' in error ? error.path : undefined;
  return typeof path === 'string' ? path : undefined;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
