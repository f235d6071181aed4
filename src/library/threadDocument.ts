import { homedir } from 'node:os';
import { readNamedImage } from '../agents/namedImage.js';
import { sourceOf } from '../agents/registry.js';
import type {
  CopiedThread,
  CopyRequest,
  ThreadAt,
  ThreadDocument,
  ThreadImage,
  ThreadPart,
} from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import type { Thread } from '../core/model/thread.js';
import type { Redactor } from '../core/redact/redactor.js';
import { changesAt, type FileChange } from '../core/thread/changes.js';
import { renderThread } from '../core/thread/render.js';
import { subagentsByCall } from '../core/thread/subagents.js';
import type { ParsedThreads } from './parsedThreads.js';
import type { Store } from './store.js';

/** The threads of a store, and what was made of them already. */
export interface Reading {
  readonly store: Store;
  readonly parsed: ParsedThreads;
}

/** @throws ExpectedError `threadMissing` */
export async function readThreadDocument(
  { store, parsed }: Reading,
  threadId: string,
  { page, place, leaf }: ThreadAt,
): Promise<ThreadDocument> {
  const thread = await parsed.read(store, threadId, { leaf });
  const subagents = subagentsByCall(thread.turns, store.index.subagents(threadId));
  const state = store.index.thread(threadId)?.state;
  return renderThread(thread, { page, place, leaf, subagents, state });
}

/** What a tool call did to files. */
export async function readChanges(
  { store, parsed }: Reading,
  { threadId, leaf, place }: ThreadPart,
): Promise<readonly FileChange[]> {
  return changesAt((await parsed.read(store, threadId, { leaf })).turns, place);
}

/**
 * @throws ExpectedError `imageMissing` where there is none any more, or it is none
 */
export async function readImage(
  { store, parsed }: Reading,
  { threadId, leaf, place }: ThreadPart,
): Promise<ThreadImage> {
  const { agent, turns } = await parsed.read(store, threadId, { leaf, images: true });
  const part = turns[place.turn]?.parts[place.part];
  const { mediaType, name, data } = part?.kind === 'image' ? part : noImage;
  if (data !== undefined) {
    return { mediaType, name, bytes: Uint8Array.from(Buffer.from(data, 'base64')) };
  }
  const named = name === undefined ? undefined : await namedImage(agent, name);
  if (named !== undefined) {
    return { mediaType: named.mediaType, name, bytes: Uint8Array.from(named.bytes) };
  }
  throw new ExpectedError('imageMissing', 'This image is not in the conversation any more.', []);
}

const noImage = { mediaType: '', name: undefined, data: undefined };

/** Some agents keep a picture in a file of their own, which a record only names. */
async function namedImage(agent: string, name: string) {
  const query = { folders: [], homes: [], env: process.env, userHome: homedir() };
  const folders = sourceOf(agent)?.attachments?.(query) ?? [];
  return readNamedImage(name, folders).catch(() => undefined);
}

/**
 * Markdown of a thread, or of some of its turns, as it may leave this machine.
 *
 * @throws ExpectedError `notScanned` where some of it cannot be looked at for secrets
 */
export async function copyThread(
  { store, parsed }: Reading,
  { threadId, leaf, turns: only }: CopyRequest,
  redactor: Redactor,
): Promise<CopiedThread> {
  const thread = await parsed.read(store, threadId, { leaf });
  // What stands in a string is looked at before Markdown marks get between its letters, then all of it.
  const { value, withheld } = redactor.value([thread.turns, thread.title, thread.counts]);
  // Only what strings say is changed, never the shape.
  const [turns, title, counts] = value as [Thread['turns'], Thread['title'], Thread['counts']];
  const rendered = renderThread({ ...thread, turns, title, counts }, { isCopy: true, leaf, only });
  const whole = redactor.text(rendered.text);
  if (withheld || whole.withheld) {
    throw new ExpectedError(
      'notScanned',
      'Nothing was copied: some of this conversation could not be scanned for secrets.',
      [],
      { next: 'Copy single turns instead.' },
    );
  }
  return { text: whole.text, masked: redactor.report.values };
}
