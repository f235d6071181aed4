import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ExpectedError, isExpected, messageOf } from '../core/errors.js';
import { bytesOf } from './foldFile.js';
import { chooseThread } from './inspectDatabase.js';
import { sourceOf, sources } from './registry.js';
import type { FoundThread, Source } from './source.js';

export interface Transcript {
  readonly source: Source;
  readonly found: FoundThread;
  /** Of a file that holds many: how many. */
  readonly conversations?: number;
}

const headBytes = 64 * 1024;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const sqliteMagic = Buffer.from('SQLite format 3\0');

/**
 * Finds out which agent wrote a file, wherever it lies.
 *
 * @param agent absent: told from the content
 * @param id the conversation of a database; absent: the newest one
 * @throws ExpectedError `unreadable`, `unknownFormat` or `unknownAgent`
 */
export async function openTranscript(
  path: string,
  agent?: string,
  id?: string,
): Promise<Transcript> {
  const head = await bytesOf(path, 0, headBytes).catch(unreadable(path));
  const candidates = agent === undefined ? sources : [named(agent)];
  if (head.subarray(0, sqliteMagic.length).equals(sqliteMagic)) {
    const chosen = await chooseThread(path, candidates, id);
    if (chosen === undefined) throw unknownFormat(path);
    return chosen;
  }
  const source = agent === undefined ? recognise(path, head) : named(agent);
  const name = basename(path).replace(/\.jsonl?$/, '');
  const { size, mtimeMs } = await stat(path).catch(unreadable(path));
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

function recognise(path: string, head: Buffer): Source {
  const text = head.toString('utf8');
  const source = sources.find((one) => one.recognises?.(text));
  if (source !== undefined) return source;
  throw unknownFormat(path);
}

const unknownFormat = (path: string): ExpectedError =>
  new ExpectedError('unknownFormat', 'No known agent wrote {0}.', [path], {
    next: 'Name the agent with --agent if you know it.',
  });

export const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    if (isExpected(cause)) throw cause;
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [path, messageOf(cause)], {
      cause,
    });
  };
