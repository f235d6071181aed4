import { sourceOf } from '../agents/registry.js';
import type { ParserOptions } from '../agents/source.js';
import type {
  CopiedThread,
  CopyRequest,
  ThreadAt,
  ThreadDocument,
  ThreadImage,
  ThreadPart,
} from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import { idInRecords, splitThreadId } from '../core/model/ids.js';
import type { Thread } from '../core/model/thread.js';
import type { Redactor } from '../core/redact/redactor.js';
import { changesAt, type FileChange } from '../core/thread/changes.js';
import { renderThread } from '../core/thread/render.js';
import { subagentsByCall } from '../core/thread/subagents.js';
import type { Store } from './store.js';

/** Reads a thread's records from the vault and says what they mean. */
export async function readThread(
  store: Store,
  threadId: string,
  options: ParserOptions = {},
): Promise<Thread> {
  const { agent, nativeId } = splitThreadId(threadId);
  const source = sourceOf(agent);
  const summary = store.index.thread(threadId);
  if (!summary || !source) {
    throw new ExpectedError('threadMissing', 'There is no conversation {0} in this project.', [
      threadId,
    ]);
  }
  const parser = source.parser(idInRecords(nativeId), options);
  for await (const record of store.records(threadId, summary.generation, summary.records)) {
    parser.push(record);
  }
  return parser.thread();
}

/** @throws ExpectedError `threadMissing` */
export async function readThreadDocument(
  store: Store,
  threadId: string,
  { page, place, leaf }: ThreadAt,
): Promise<ThreadDocument> {
  const thread = await readThread(store, threadId, { leaf });
  const subagents = subagentsByCall(thread.turns, store.index.subagents(threadId));
  const state = store.index.thread(threadId)?.state;
  return renderThread(thread, { page, place, leaf, subagents, state });
}

/** What a tool call did to files. */
export async function readChanges(
  store: Store,
  { threadId, leaf, place }: ThreadPart,
): Promise<readonly FileChange[]> {
  return changesAt((await readThread(store, threadId, { leaf })).turns, place);
}

/**
 * @throws ExpectedError `imageMissing` where there is none any more, or it is none
 */
export async function readImage(
  store: Store,
  { threadId, leaf, place }: ThreadPart,
): Promise<ThreadImage> {
  const { turns } = await readThread(store, threadId, { leaf, images: true });
  const part = turns[place.turn]?.parts[place.part];
  if (part?.kind !== 'image' || part.data === undefined) {
    throw new ExpectedError('imageMissing', 'This image is not in the conversation any more.', []);
  }
  const { mediaType, name, data } = part;
  return { mediaType, name, bytes: Uint8Array.from(Buffer.from(data, 'base64')) };
}

/**
 * Markdown of a thread, or of some of its turns, as it may leave this machine.
 *
 * @throws ExpectedError `notScanned` where some of it cannot be looked at for secrets
 */
export async function copyThread(
  store: Store,
  { threadId, leaf, turns: only }: CopyRequest,
  redactor: Redactor,
): Promise<CopiedThread> {
  const thread = await readThread(store, threadId, { leaf });
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
