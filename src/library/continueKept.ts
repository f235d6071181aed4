import { homedir } from 'node:os';
import { sourceOf } from '../agents/registry.js';
import { ExpectedError } from '../core/errors.js';
import type { Continuation, ContinueRequest } from '../core/model/continuation.js';
import { isImported, splitThreadId } from '../core/model/ids.js';
import type { RedactionSettings } from '../core/redact/settings.js';
import { requireHoldable } from './continueLimit.js';
import { planContinuation, type ContinueOrigin } from './continueThread.js';
import { ExpectedChats } from './expectedChats.js';
import { noteLineage } from './lineage.js';
import { createHandoffMask } from './redaction/handoffMask.js';
import type { About } from './shortened.js';
import type { Store } from './store.js';

interface ContinueAt {
  /** Root of all vaults. */
  readonly root: string;
  readonly write: boolean;
  readonly redaction: RedactionSettings;
  /** Bytes of the largest conversation that is read; absent: what memory allows. */
  readonly largest?: number | undefined;
}

/**
 * Lets a thread of the vault go on in an agent, and notes where the new one comes from; without `write` it only says
 * what would be done.
 *
 * @throws ExpectedError `threadMissing`, `threadTooLarge`, `badRule`, and as `planContinuation`
 */
export async function continueKept(
  store: Store,
  threadId: string,
  request: ContinueRequest,
  { root, write, redaction, largest }: ContinueAt,
): Promise<Continuation> {
  const origin = await originOf(store, threadId, request, largest);
  const planned = await planContinuation(
    origin,
    request,
    (folder) => createHandoffMask({ settings: redaction, folders: [folder] }),
    process.env,
    homedir(),
  );
  if (write && (await planned.write(root)) !== undefined) {
    await noteLineage(store, threadId, planned);
  }
  if (write && planned.chat !== undefined) await new ExpectedChats(root).expect(planned, threadId);
  return continuationOf(planned);
}

/** Without the step that writes, which no other thread could call. */
function continuationOf(planned: Continuation): Continuation {
  const { agent, sessionId, files, command, cwd, report, size, prompts, prompt, chat } = planned;
  return { agent, sessionId, files, command, cwd, report, size, prompts, prompt, chat };
}

async function originOf(
  store: Store,
  threadId: string,
  { agent: target, leaf }: ContinueRequest,
  largest: number | undefined,
): Promise<ContinueOrigin> {
  const { agent, nativeId } = splitThreadId(threadId);
  const summary = store.index.thread(threadId);
  const parser = sourceOf(agent)?.parser(nativeId, { images: true, ...(leaf && { leaf }) });
  if (summary === undefined || parser === undefined) {
    throw new ExpectedError('threadMissing', 'There is no conversation {0} in this project.', [
      threadId,
    ]);
  }
  requireHoldable(summary.bytes, largest);
  // Own records are those of the whole conversation: another branch is made anew. Those that somebody else sent may
  // hold what their agent obeys (rules, hooks, what it may do unasked), so only what was said and done is taken.
  const takesOwn = agent === target && leaf === undefined && !isImported(nativeId);
  const records: Uint8Array[] = [];
  for await (const record of store.records(threadId, summary.generation, summary.records)) {
    parser.push(record);
    if (takesOwn) records.push(record);
  }
  const thread = parser.thread();
  return {
    thread: { ...thread, cwd: thread.cwd ?? summary.cwd },
    records: takesOwn ? records : undefined,
    path: summary.state === 'live' ? store.index.cursor(threadId)?.path : undefined,
    about: await aboutOf(store, threadId),
  };
}

/** Goal and changes of the newest session that the thread is in. */
async function aboutOf(store: Store, threadId: string): Promise<About> {
  const [session] = store.index
    .sessionsOf(threadId)
    .flatMap((id) => store.index.session(id) ?? [])
    .sort((a, b) => b.updatedAt - a.updatedAt);
  if (session === undefined) return {};
  const { changes } = session.last ? await store.readSnapshot(session.last.id) : {};
  return { session, changes };
}
