import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bytesOf } from '../agents/foldFile.js';
import type { FoundThread, Source } from '../agents/source.js';
import { unreadable, withTranscript } from '../agents/transcriptFile.js';
import { isImported, splitThreadId } from '../core/model/ids.js';
import type { Cursor } from '../core/model/records.js';
import type { Thread } from '../core/model/thread.js';
import { requireHoldable } from '../library/continueLimit.js';
import type { ContinueOrigin } from '../library/continueThread.js';
import type { EveryProject } from './everyProject.js';
import type { Progress } from './progress.js';
import { chooseThread } from './threadChoice.js';

interface Asked {
  readonly agent?: string;
  readonly home: Readonly<Record<string, readonly string[]>>;
  /** The branch to go on with; absent: the one that the agent would. */
  readonly leaf?: string | undefined;
}

/**
 * The conversation that goes on: a transcript's file, or one that an id stands for, from its agent's
 * store or, where that has it no more or holds less than it did, from the vault.
 *
 * @throws ExpectedError `threadMissing`, `ambiguous`, `unknownFormat`, `unreadable` or `threadTooLarge`
 */
export async function findOrigin(
  asked: string,
  options: Asked,
  projects: EveryProject,
  progress: Progress,
): Promise<ContinueOrigin> {
  if (await isFile(asked)) {
    return withTranscript(resolve(asked), { agent: options.agent }, ({ source, found }) =>
      readOrigin(source, found, options),
    );
  }
  const { id, inStore } = await chooseThread(asked, options, projects, progress);
  requireHoldable((await projects.kept.summary(id))?.bytes ?? 0);
  const parsing = { images: true, leaf: options.leaf };
  const copy = projects.kept.get(id) && (await projects.kept.thread(id, parsing));
  const own = inStore && (await readOrigin(inStore.source, inStore.found, options));
  if (own !== undefined && !(copy && sizeOf(copy) > sizeOf(own.thread))) return own;
  return {
    thread: copy ?? (await projects.kept.thread(id, parsing)),
    // Records that somebody else sent may hold what their agent obeys: only what was said and done is taken of them.
    records: isImported(splitThreadId(id).nativeId) ? undefined : await projects.kept.records(id),
  };
}

const sizeOf = ({ counts }: Thread): number => counts.userTurns + counts.assistantMessages;

async function readOrigin(
  source: Source,
  found: FoundThread,
  { leaf }: Asked,
): Promise<ContinueOrigin> {
  const { path } = found;
  requireHoldable(found.bytes);
  const parser = source.parser(found.nativeId, {
    images: true,
    ...(leaf !== undefined && { leaf }),
  });
  const records: Uint8Array[] = [];
  let cursor: Cursor | undefined;
  for (let more = true; more;) {
    const read = await source.read(found, cursor).catch(unreadable(path));
    for (const [at, record] of read.records.entries()) {
      parser.push(record, read.places?.[at]);
      records.push(record);
    }
    ({ cursor, more } = read);
    if (more || read.unfinished === undefined) continue;
    // What a killed agent wrote of its last record may still hold something to read.
    const rest = await bytesOf(path, read.unfinished.offset, found.bytes);
    if (rest.toString('utf8').trim() !== '') parser.push(rest, read.unfinished);
  }
  const thread = parser.thread();
  // Own records are those of the whole conversation: another branch is made anew.
  const kept = leaf === undefined ? records : undefined;
  return { thread: { ...thread, cwd: thread.cwd ?? found.cwd }, records: kept, path };
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
