import type { FoundThread } from '../agents/source.js';
import { ExpectedError } from '../core/errors.js';
import type { ForgottenThread } from '../core/forgetting.js';
import { threadId } from '../core/model/ids.js';
import type { ThreadEvent } from '../core/model/records.js';
import { openView } from '../vault/openView.js';
import type { Watch } from '../vault/rewrite.js';
import { FrameType } from '../vault/types.js';

/** Threads to be taken in: neither forgotten nor started by one that is. `forgotten`: thread ids. */
export function notForgotten(
  threads: readonly FoundThread[],
  agent: string,
  forgotten: ReadonlySet<string>,
): readonly FoundThread[] {
  if (forgotten.size === 0) return threads;
  const parents = new Map(threads.map(({ nativeId, parent }) => [nativeId, parent]));
  const isForgotten = (nativeId: string): boolean => {
    const looked = new Set<string>();
    for (let id: string | undefined = nativeId; id !== undefined; id = parents.get(id)) {
      if (forgotten.has(threadId(agent, id))) return true;
      // Files that name each other as the one that started them.
      if (looked.has(id)) return false;
      looked.add(id);
    }
    return false;
  };
  return threads.filter(({ nativeId }) => !isForgotten(nativeId));
}

interface Vaults {
  /** Projects' folders. */
  readonly folders: readonly string[];
  readonly wasm: string;
  readonly watch?: Watch | undefined;
}

/**
 * Lets a forgotten conversation, with the subagents that were forgotten with it, be taken in again from the
 * agent's own files, at the next look at them. What was removed stays removed.
 *
 * @throws ExpectedError `threadMissing` when it is not among the forgotten ones; the signal's reason
 */
export async function takeBackForgetting(
  id: string,
  { folders, wasm, watch }: Vaults,
): Promise<void> {
  let isFound = false;
  for (const folder of folders) {
    const { index, vault, close } = await openView(folder, wasm, watch);
    try {
      const threads = [...withSubagents(id, index.forgotten())];
      const events = threads.map((thread): ThreadEvent => ({
        schemaVersion: 1,
        thread,
        at: Date.now(),
        state: 'live',
      }));
      const frames = events.map((event) => ({
        type: FrameType.thread,
        payload: Buffer.from(JSON.stringify(event)),
      }));
      if (frames.length > 0) await vault.append(frames);
      isFound ||= frames.length > 0;
    } finally {
      await close();
    }
  }
  if (isFound) return;
  throw new ExpectedError('threadMissing', 'The conversation {0} was not forgotten.', [id]);
}

/** In any order: a subagent may have been said to be forgotten before its parent was. */
function withSubagents(id: string, forgotten: readonly ForgottenThread[]): ReadonlySet<string> {
  const found = new Set(forgotten.filter((thread) => thread.id === id).map((thread) => thread.id));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const thread of forgotten) if (found.has(thread.parent ?? '')) found.add(thread.id);
  }
  return found;
}
