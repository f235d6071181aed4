import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ExpectedError, isExpected, messageOf } from '../core/errors.js';
import { keysIn, recogniseFile } from './recogniseFile.js';
import { beginningOf, isSqlite } from './fileForm.js';
import { chooseThread } from './inspectDatabase.js';
import { withPlainFile } from './plainFile.js';
import { sourceOf, sources } from './registry.js';
import type { FoundThread, Source } from './source.js';
import { transcriptIn } from './transcriptFolder.js';

export interface Transcript {
  readonly source: Source;
  readonly found: FoundThread;
  /** Of a file that holds many: how many. */
  readonly conversations?: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds out which agent wrote a file, wherever it lies and whatever it is called, and runs with it. A folder stands
 * for the one transcript in it; what is compressed, or UTF-16, is unpacked for the time of the run.
 *
 * @param agent absent: told from the content
 * @param id the conversation of a database; absent: the newest one
 * @throws ExpectedError `unreadable`, `unknownFormat`, `severalTranscripts` or `unknownAgent`
 */
export async function withTranscript<T>(
  path: string,
  { agent, id }: { readonly agent?: string | undefined; readonly id?: string | undefined },
  run: (transcript: Transcript) => Promise<T>,
): Promise<T> {
  const candidates = agent === undefined ? sources : [named(agent)];
  const stats = await stat(path).catch(unreadable(path));
  if (stats.isDirectory()) {
    const inside = await transcriptIn(path, candidates).catch(unreadable(path));
    return withTranscript(inside, { agent, id }, run);
  }
  // Opening a pipe would wait for its writer.
  if (!stats.isFile()) throw new ExpectedError('unreadable', '{0} is not a file.', [path]);
  return withPlainFile(path, async (plain) =>
    run(await openTranscript(plain, candidates, id, path)),
  ).catch(unreadable(path));
}

async function openTranscript(
  path: string,
  candidates: readonly Source[],
  id: string | undefined,
  shown: string,
): Promise<Transcript> {
  const head = await beginningOf(path);
  if (isSqlite(head)) {
    const chosen = await chooseThread(path, candidates, id);
    if (chosen === undefined) throw unknownFormat(shown, []);
    return chosen;
  }
  const [only, ...others] = candidates;
  const source = others.length === 0 ? only : await recogniseFile(path, head, candidates);
  if (source === undefined) throw unknownFormat(shown, keysIn(head));
  const name = basename(path).replace(/\.(?:jsonl?|txt)$/, '');
  const { size, mtimeMs } = await stat(path);
  // A session's file is called by its id; any other name was given by somebody who copied it.
  const nativeId = uuid.test(name) ? name : '';
  return { source, found: { nativeId, path, bytes: size, modifiedAt: mtimeMs } };
}

function named(agent: string): Source {
  const source = sourceOf(agent);
  if (source !== undefined) return source;
  const known = sources.map((other) => other.agent).join(', ');
  throw new ExpectedError('unknownAgent', 'There is no agent called {0}.', [agent], {
    next: `Use one of: ${known}.`,
  });
}

/** A file that no agent is known to write so; its first keys tell a person, or us, what it is. */
export const unknownFormat = (path: string, keys: readonly string[]): ExpectedError =>
  new ExpectedError(
    'unknownFormat',
    'The format of {0} is not known ({1}).',
    [path, keys.length === 0 ? 'no JSON' : `keys ${keys.join(', ')}`],
    { next: 'Name the agent with --agent if you know it.' },
  );

export const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    if (isExpected(cause)) throw cause;
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [path, messageOf(cause)], {
      cause,
    });
  };
