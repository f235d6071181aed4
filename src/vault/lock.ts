import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExpectedError } from '../core/errors.js';
import { codeOf } from './writeError.js';

/** The holder shows so often that it lives, in milliseconds. */
const BEAT_MS = 2_000;
/** A lock that showed no life for so long is broken. */
const SILENCE_MS = 20_000;
const LOOK_MS = 500;

export interface LockOptions {
  /** Gives up after so many milliseconds; 0: at once. */
  readonly waitMs: number;
  readonly silenceMs?: number;
  /** Ends the wait; the work sees to itself. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * How locks looked when this process last met them. Who comes back now and then without waiting learns by it that
 * one is left over, too.
 */
const met = new Map<string, { readonly state: string; readonly since: number }>();

/**
 * Does work while nobody else does any under the same file. Only the collection of dead frames needs that,
 * and only so as not to do work twice: it stays safe without.
 *
 * A lock file whose time of change stays the same for a while is left over from a process that was killed,
 * and is broken. The while is measured on the waiting process's own monotonic clock: packages that compare the
 * file's time with the wall clock, such as proper-lockfile 4.1.2, take a living lock for an old one when that
 * clock jumps.
 *
 * @param work its signal says that the lock was lost, because this process stood still too long
 * @throws ExpectedError `locked` when another process holds it to the end of the wait; the signal's reason
 */
export async function withLock<T>(
  file: string,
  { waitMs, silenceMs = SILENCE_MS, signal }: LockOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const token = randomUUID();
  await acquire(file, token, waitMs, silenceMs, signal);
  const lost = new AbortController();
  const beat = setInterval(() => {
    void showLife(file, token).then((isOurs) => {
      if (!isOurs) lost.abort(locked(file));
    });
  }, BEAT_MS);
  beat.unref();
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(beat);
    if ((await tokenIn(file)) === token) await rm(file, { force: true });
  }
}

async function acquire(
  file: string,
  token: string,
  waitMs: number,
  silenceMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const begin = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    if (await create(file, token)) break;
    const state = await stateOf(file);
    const now = performance.now();
    const before = met.get(file);
    if (state !== before?.state) met.set(file, { state, since: now });
    else if (now - before.since >= silenceMs) {
      await breakLock(file, state);
      met.delete(file);
      continue;
    }
    if (now - begin >= waitMs) throw locked(file);
    await sleep(Math.min(LOOK_MS, silenceMs / 4));
  }
  met.delete(file);
}

async function create(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(token).finally(() => handle.close());
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a silent lock away; should it be another one by now, it is put back. */
async function breakLock(file: string, state: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  if ((await stateOf(aside)) !== state) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function showLife(file: string, token: string): Promise<boolean> {
  if ((await tokenIn(file)) !== token) return false;
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
  return true;
}

const tokenIn = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(() => undefined);

/** What changes while the holder lives. */
async function stateOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return `${(await tokenIn(file)) ?? ''} ${found?.mtimeNs ?? ''}`;
}

const locked = (file: string): ExpectedError =>
  new ExpectedError('locked', 'Another process is at work there ({0}).', [file], {
    next: 'Wait until it is done, then try again.',
  });
