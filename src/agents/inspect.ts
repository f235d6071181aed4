import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ExpectedError, isExpected, messageOf } from '../core/errors.js';
import type { Skipped, Thread, Tokens } from '../core/model/thread.js';
import { bytesOf, foldFile } from './foldFile.js';
import { chooseThread } from './inspectDatabase.js';
import { sourceOf, sources } from './registry.js';
import type { FoundThread, Source } from './source.js';

/** What one transcript holds, counted as docs/agents.md says. Times are ISO strings; `null`: none, or not counted in that format. */
export interface Inspection {
  readonly agent: string;
  readonly sessionId: string | null;
  readonly cwd: string | null;
  readonly userTurns: number;
  readonly assistantMessages: number;
  readonly toolCalls: number | null;
  readonly toolResultsMatched: number | null;
  readonly toolResultsOrphan: number | null;
  readonly thinkingBlocks: number;
  readonly firstPrompt: string | null;
  readonly models: readonly string[];
  readonly tokens: Tokens | null;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly malformed: number;
  readonly skipped: readonly Skipped[];
  /** Of a file that holds many: how many; the other fields are about one of them. */
  readonly conversations?: number;
}

const headBytes = 64 * 1024;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads one transcript from anywhere and counts what is in it, in chunks, so of any size.
 * Rejects with an `ExpectedError` when the file cannot be read, or no agent knows it.
 *
 * @param agent absent: told from the content
 * @param id the conversation of a database; absent: the newest one
 */
export async function inspectFile(path: string, agent?: string, id?: string): Promise<Inspection> {
  const head = await bytesOf(path, 0, headBytes).catch(unreadable(path));
  const candidates = agent === undefined ? sources : [named(agent)];
  if (head.subarray(0, sqliteMagic.length).equals(sqliteMagic)) {
    const chosen = await chooseThread(path, candidates, id);
    if (chosen === undefined) throw unknownFormat(path);
    const { source, found, conversations } = chosen;
    return { ...(await inspectThread(source, found)), conversations };
  }
  const source = agent === undefined ? recognise(path, head) : named(agent);
  const name = basename(path).replace(/\.jsonl?$/, '');
  const { size, mtimeMs } = await stat(path).catch(unreadable(path));
  // A session's file is called by its id; any other name was given by somebody who copied it.
  const nativeId = uuid.test(name) ? name : '';
  return inspectThread(source, { nativeId, path, bytes: size, modifiedAt: mtimeMs });
}

const sqliteMagic = Buffer.from('SQLite format 3\0');

async function inspectThread(source: Source, found: FoundThread): Promise<Inspection> {
  const parser = await foldFile(source, found, { turns: false }).catch(unreadable(found.path));
  return inspection(parser.thread({ turns: false }));
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

const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    if (isExpected(cause)) throw cause;
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [path, messageOf(cause)], {
      cause,
    });
  };

function inspection(thread: Thread): Inspection {
  const { counts } = thread;
  return {
    agent: thread.agent,
    sessionId: (thread.session ?? thread.nativeId) || null,
    cwd: thread.cwd ?? null,
    userTurns: counts.userTurns,
    assistantMessages: counts.assistantMessages,
    toolCalls: counts.toolCalls,
    toolResultsMatched: counts.toolResultsMatched,
    toolResultsOrphan: counts.toolResultsOrphan,
    thinkingBlocks: counts.thinkingBlocks,
    firstPrompt: counts.firstPrompt ?? null,
    models: counts.models,
    tokens: counts.tokens ?? null,
    firstAt: isoOf(counts.firstAt),
    lastAt: isoOf(counts.lastAt),
    malformed: counts.malformed,
    skipped: thread.skipped,
  };
}

const isoOf = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();
