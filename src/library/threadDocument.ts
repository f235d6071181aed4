import { sourceOf } from '../agents/registry.js';
import type { ThreadDocument, ThreadPlace } from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import { splitThreadId } from '../core/model/ids.js';
import type { Thread } from '../core/model/thread.js';
import { renderThread } from '../core/thread/render.js';
import type { Store } from './store.js';

/** Reads a thread's records from the vault and says what they mean. */
export async function readThread(store: Store, threadId: string): Promise<Thread> {
  const { agent, nativeId } = splitThreadId(threadId);
  const source = sourceOf(agent);
  const summary = store.index.thread(threadId);
  if (!summary || !source) {
    throw new ExpectedError('threadMissing', 'There is no conversation {0} in this project.', [
      threadId,
    ]);
  }
  const parser = source.parser(nativeId);
  for await (const record of store.records(threadId, summary.generation, summary.records)) {
    parser.push(record);
  }
  return parser.thread();
}

/** @throws ExpectedError `threadMissing` */
export async function readThreadDocument(
  store: Store,
  threadId: string,
  page: number,
  place?: ThreadPlace,
): Promise<ThreadDocument> {
  return renderThread(await readThread(store, threadId), { page, place });
}
