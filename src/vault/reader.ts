import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import { ByteWindow, readBytes } from './byteWindow.js';
import type { FrameHead } from './frame.js';
import { decodeHead, decodePayloadAside, frameMagic, headSize } from './frame.js';
import { oneAhead } from './oneAhead.js';
import { decodePackHead, isPackHeadStart, packHeadSize, packVersion } from './packFile.js';
import type { Frame, FrameRef } from './types.js';

/** Most frames are no larger, so one read gets them. */
const USUAL = 16 * 2 ** 10;

/** What a pack's first bytes say. `incomplete`: another process is still making it. */
export type PackHeadState = 'known' | 'newer' | 'incomplete' | 'damaged';

type OnProblem = (problem: Problem) => void;

/**
 * The frames of a pack from an offset on, in order, through a bounded buffer. To go on later, begin at the
 * last frame's `end`: a frame that another process is still writing at the end of the file ends the
 * reading without a word, while damage costs the frames that it lies in, is reported, and reading goes
 * on behind it.
 *
 * @throws Error of the file system when the file cannot be read
 */
export async function* readFrames(
  path: string,
  from: number,
  onProblem: OnProblem,
  pack = basename(path),
): AsyncGenerator<Frame, void, undefined> {
  const decode = async ({ head, offset, end, stored }: Stored): Promise<Frame | Problem> => {
    const decoded = await decodePayloadAside(head, stored);
    return 'damage' in decoded
      ? problemAt(pack, offset, `A record is damaged: ${decoded.damage}.`)
      : toFrame(head, pack, offset, end, decoded.payload);
  };
  for await (const found of oneAhead(storedIn(walk(path, from, onProblem, pack)), decode)) {
    if ('message' in found) onProblem(found);
    else yield found;
  }
}

interface Stored extends Step {
  readonly stored: Buffer;
}

async function* storedIn(steps: AsyncIterable<Step>): AsyncGenerator<Stored, void, undefined> {
  for await (const step of steps) {
    yield { ...step, stored: await step.window.at(step.offset + headSize, step.head.stored) };
  }
}

/**
 * Checks that a pack is a row of whole frames, without a look at what is in them.
 *
 * @returns where the last whole frame ends; behind it may be what was not acknowledged
 * @throws Error of the file system when the file cannot be read
 */
export async function checkFrames(path: string, onProblem: OnProblem): Promise<number> {
  let last = 0;
  for await (const { end } of walk(path, 0, onProblem, basename(path))) last = end;
  return last;
}

interface Step {
  readonly head: FrameHead;
  readonly offset: number;
  readonly end: number;
  readonly window: ByteWindow;
}

async function* walk(
  path: string,
  from: number,
  onProblem: OnProblem,
  pack: string,
): AsyncGenerator<Step, void, undefined> {
  const report = (offset: number, message: string): void =>
    onProblem(problemAt(pack, offset, message));
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size < from) report(from, `The file ends at ${size}; what was behind is gone.`);
    const window = new ByteWindow(handle, size);
    let offset = from;
    if (from < packHeadSize) {
      const state = packHeadState(await window.at(0, packHeadSize));
      if (state === 'newer' || state === 'incomplete') return;
      offset = state === 'known' ? packHeadSize : 0;
    }
    while (offset < size) {
      const bytes = await window.at(offset, headSize);
      if (isFrameStart(bytes)) return;
      const head = decodeHead(bytes);
      if (!head) {
        const next = await findFrame(window, offset + 1);
        report(offset, `${next - offset} bytes are damaged and were skipped.`);
        offset = next;
        continue;
      }
      const end = offset + headSize + head.stored;
      if (end > size) return;
      yield { head, offset, end, window };
      offset = end;
    }
  } finally {
    await handle.close();
  }
}

const problemAt = (pack: string, offset: number, message: string): Problem => ({
  where: `${pack} @ ${offset}`,
  message,
});

/**
 * One frame by its place.
 *
 * @throws ExpectedError `unreadable`
 */
export async function readFrameAt(
  path: string,
  offset: number,
  pack = basename(path),
): Promise<Frame> {
  const unreadable = (why: string, cause?: unknown): ExpectedError =>
    unreadableFrame({ pack, offset }, why, cause);
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    const start = await readBytes(handle, offset, USUAL);
    const head = decodeHead(start);
    if (!head) throw unreadable('there is no whole record');
    const size = headSize + head.stored;
    const bytes = size <= start.length ? start : await readBytes(handle, offset, size);
    if (bytes.length < size) throw unreadable('the file ends before it');
    const decoded = await decodePayloadAside(head, bytes.subarray(headSize, size));
    if ('damage' in decoded) throw unreadable(decoded.damage);
    return toFrame(head, pack, offset, offset + size, decoded.payload);
  } catch (error) {
    throw error instanceof ExpectedError ? error : unreadable(messageOf(error), error);
  } finally {
    await handle?.close();
  }
}

export const unreadableFrame = (
  { pack, offset }: FrameRef,
  why: string,
  cause?: unknown,
): ExpectedError =>
  new ExpectedError(
    'unreadable',
    'A saved record cannot be read ({0} at {1}): {2}',
    [pack, offset, why],
    {
      cause,
      next: 'Everything else is still there; restore the file from a backup if you have one.',
    },
  );

/** @throws Error of the file system when the file cannot be read */
export async function readPackHead(path: string): Promise<PackHeadState> {
  const handle = await open(path, 'r');
  try {
    return packHeadState(await readBytes(handle, 0, packHeadSize));
  } finally {
    await handle.close();
  }
}

function packHeadState(bytes: Buffer): PackHeadState {
  if (isPackHeadStart(bytes)) return 'incomplete';
  const version = decodePackHead(bytes);
  if (version === undefined) return 'damaged';
  return version > packVersion ? 'newer' : 'known';
}

/** Whether the bytes, the last of the file, may be the beginning of a frame that is still being written. */
const isFrameStart = (bytes: Buffer): boolean =>
  bytes.length < headSize &&
  frameMagic.subarray(0, bytes.length).equals(bytes.subarray(0, frameMagic.length));

/** Where the next frame with a good head begins; the end of the file if none does. */
async function findFrame(window: ByteWindow, from: number): Promise<number> {
  let offset = from;
  while (offset < window.size) {
    const bytes = await window.from(offset, headSize);
    const found = findHead(bytes);
    if (found.isHead) return offset + found.at;
    if (offset + bytes.length >= window.size) break;
    offset += found.at;
  }
  return window.size;
}

/** The place of the first good head; or else the place from which the bytes are too few to tell. */
function findHead(bytes: Buffer): { readonly at: number; readonly isHead: boolean } {
  let at = bytes.indexOf(frameMagic);
  while (at >= 0 && at + headSize <= bytes.length) {
    if (decodeHead(bytes.subarray(at, at + headSize))) return { at, isHead: true };
    at = bytes.indexOf(frameMagic, at + 1);
  }
  if (at >= 0) return { at, isHead: false };
  return { at: Math.max(1, bytes.length - frameMagic.length + 1), isHead: false };
}

const toFrame = (
  head: FrameHead,
  pack: string,
  offset: number,
  end: number,
  payload: Uint8Array,
): Frame => ({
  pack,
  offset,
  end,
  type: head.type,
  clock: head.clock,
  sessionId: head.sessionId,
  hash: head.hash,
  payload,
});
