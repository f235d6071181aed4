import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import type { Io } from './io.js';
import { packExtension } from './packFile.js';
import type { PackFolder } from './packFolder.js';
import { stageSealed } from './sealedWriter.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** What becomes of a frame: itself, another in its place (see {@link withPayload}), or nothing. */
export type Change = (frame: Frame) => Frame | undefined;

/** Files that hold packs to which nothing is appended any more, with the packs in them. */
export function closedFiles(packs: PackFolder): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const pack of packs.names) {
    const place = packs.place(pack);
    if (!place || place.kind === 'open') continue;
    const name = basename(place.path);
    const inFile = files.get(name) ?? [];
    files.set(name, inFile);
    inFile.push(pack);
  }
  return files;
}

/**
 * Writes a new file in place of one whose frames are to change. A pack out of which something is taken, or in
 * which something is changed, gets another name: so everybody who knows the old one learns that what they
 * know of it is not so any more.
 *
 * The old file is still there afterwards, without counting: it is for the caller to {@link Rewritten.finish} or
 * {@link Rewritten.takeBack} it.
 *
 * @throws Error when something of the file cannot be read
 */
export async function rewrite(
  io: Io,
  packs: PackFolder,
  file: string,
  change: Change,
): Promise<Rewritten> {
  const staged = await stage(io, packs, file, change, await foresee(packs, file, change, {}), {});
  return staged.publish();
}

/** What is told of a long reading, and what stops it. */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  /** Told of what was read, as it was first written. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** A file that is to take the place of another one, written and not counting yet. */
export interface StagedRewrite extends Forecast {
  publish(): Promise<Rewritten>;
  discard(): Promise<void>;
}

/**
 * As {@link rewrite}, up to the moment when the new file would count; undefined when nothing of it would be
 * another than before.
 *
 * @throws Error when something of the file cannot be read; the signal's reason
 */
export async function stageChanged(
  io: Io,
  packs: PackFolder,
  file: string,
  change: Change,
  watch: Watch,
): Promise<StagedRewrite | undefined> {
  const forecast = await foresee(packs, file, change, watch);
  if (forecast.removed + forecast.masked === 0) return undefined;
  return stage(io, packs, file, change, forecast, watch);
}

async function stage(
  io: Io,
  packs: PackFolder,
  file: string,
  change: Change,
  forecast: Forecast,
  { signal }: Watch,
): Promise<StagedRewrite> {
  const contents = forecast.left.map(({ pack, name }) => ({
    name,
    frames: () => changed(packs, pack, change, signal),
  }));
  const staged = await stageSealed(io, packs.path, contents, [file, ...packs.leftovers]);
  const remove = async (name: string): Promise<void> => {
    await io.remove(join(packs.path, name));
    await io.syncFolder(packs.path);
  };
  return {
    ...forecast,
    publish: async () => {
      const written = await staged.publish();
      return { written, finish: () => remove(file), takeBack: () => remove(written) };
    },
    discard: () => staged.discard(),
  };
}

export interface Rewritten {
  /** Name of the new file. */
  readonly written: string;
  /** Removes the old file. */
  finish(): Promise<void>;
  /** Removes the new file, so that the old one counts again. */
  takeBack(): Promise<void>;
}

/** Removes what earlier calls that were killed left behind. */
export async function removeLeftovers(packs: PackFolder, io: Io): Promise<void> {
  if (packs.leftovers.length === 0) return;
  for (const file of packs.leftovers) await io.remove(join(packs.path, file));
  await io.syncFolder(packs.path);
  await packs.look(() => undefined);
}

/** The frame with other content under its place and clock. */
export const withPayload = (frame: Frame, payload: Uint8Array): Frame => ({
  ...frame,
  payload,
  hash: createHash('sha256').update(payload).digest('hex'),
});

/** When a file was last written or relied upon (see `Vault.putBlob`); undefined when it is not there. */
export const lastNeeded = (packs: PackFolder, file: string): Promise<number | undefined> =>
  stat(join(packs.path, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );

/** What a new file would be. */
interface Forecast {
  /** The packs of which something is left, each with the name that it will have. */
  readonly left: readonly { readonly pack: string; readonly name: string }[];
  /** Frames that are not in it, and those with other content. */
  readonly removed: number;
  readonly masked: number;
  /** Hashes of content that is not in it any more. */
  readonly gone: ReadonlySet<string>;
}

async function foresee(
  packs: PackFolder,
  file: string,
  change: Change,
  { signal, onBytes }: Watch,
): Promise<Forecast> {
  const left: { readonly pack: string; readonly name: string }[] = [];
  const gone = new Set<string>();
  let removed = 0;
  let masked = 0;
  for (const pack of closedFiles(packs).get(file) ?? []) {
    let isEmpty = true;
    const before = removed + masked;
    for await (const frame of strictly(packs, pack)) {
      signal?.throwIfAborted();
      onBytes?.(frame.end - frame.offset);
      const after = change(frame);
      isEmpty &&= after === undefined;
      if (after?.hash === frame.hash) continue;
      if (after) masked += 1;
      else removed += 1;
      if (frame.type === FrameType.blob) gone.add(frame.hash);
    }
    const isSame = removed + masked === before;
    if (!isEmpty) left.push({ pack, name: isSame ? pack : successorOf(pack) });
  }
  return { left, removed, masked, gone };
}

async function* changed(
  packs: PackFolder,
  pack: string,
  change: Change,
  signal: AbortSignal | undefined,
): AsyncGenerator<Frame, void, undefined> {
  for await (const frame of strictly(packs, pack)) {
    signal?.throwIfAborted();
    const after = change(frame);
    if (after) yield after;
  }
}

/**
 * The frames of a pack, all or none.
 *
 * @throws ExpectedError `damaged`
 */
export async function* strictly(
  packs: PackFolder,
  pack: string,
): AsyncGenerator<Frame, void, undefined> {
  const problems: Problem[] = [];
  yield* packs.frames(pack, 0, (problem) => problems.push(problem));
  const [problem] = problems;
  if (problem) throw damaged(problem);
}

export const damaged = ({ where, message }: Problem): ExpectedError =>
  new ExpectedError(
    'damaged',
    'The vault is damaged, so nothing is taken out of it ({0}: {1})',
    [where, message],
    {
      next: 'Run "keepthread vault check", then "keepthread vault repair --to <dir>".',
    },
  );

/** `a.pack`, then `a.1.pack`, `a.2.pack`. */
function successorOf(pack: string): string {
  const stem = pack.slice(0, -packExtension.length);
  const [, base = stem, count = '0'] = /^(.*)\.(\d+)$/.exec(stem) ?? [];
  return `${base}.${Number(count) + 1}${packExtension}`;
}
