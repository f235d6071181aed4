import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { Cursor } from '../core/model/records.js';
import type { Skipped, Thread } from '../core/model/thread.js';
import { sourceOf, sources } from './registry.js';
import type { FoundThread, ReadResult, Source, ThreadParser } from './source.js';

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
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly malformed: number;
  readonly skipped: readonly Skipped[];
}

const headBytes = 64 * 1024;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads one transcript from anywhere and counts what is in it, in chunks, so of any size.
 * Rejects with an `ExpectedError` when the file cannot be read, or no agent knows it.
 */
export async function inspectFile(path: string, agent?: string): Promise<Inspection> {
  const source = agent === undefined ? await recognise(path) : named(agent);
  const name = basename(path).replace(/\.jsonl?$/, '');
  // A session's file is called by its id; any other name was given by somebody who copied it.
  const parser = source.parser(uuid.test(name) ? name : '', { turns: false });
  await pushAll(source, parser, path);
  return inspection(parser.thread({ turns: false }));
}

async function pushAll(source: Source, parser: ThreadParser, path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path).catch(unreadable(path));
  const found: FoundThread = { nativeId: '', path, bytes: size, modifiedAt: mtimeMs };
  let cursor: Cursor | undefined;
  let read: ReadResult;
  do {
    read = await source.read(found, cursor).catch(unreadable(path));
    for (const [at, record] of read.records.entries()) parser.push(record, read.places?.[at]);
    cursor = read.cursor;
  } while (read.more);
  if (read.unfinished === undefined) return;
  const rest = await bytesOf(path, read.unfinished.offset, size);
  if (rest.toString('utf8').trim() !== '') parser.push(rest, read.unfinished);
}

function named(agent: string): Source {
  const source = sourceOf(agent);
  if (source !== undefined) return source;
  const known = sources.map((other) => other.agent).join(', ');
  throw new ExpectedError('unknownAgent', 'There is no agent called {0}.', [agent], {
    next: `Use one of: ${known}.`,
  });
}

async function recognise(path: string): Promise<Source> {
  const head = await bytesOf(path, 0, headBytes).catch(unreadable(path));
  const text = head.toString('utf8');
  const source = sources.find((one) => one.recognises?.(text));
  if (source !== undefined) return source;
  throw new ExpectedError('unknownFormat', 'No known agent wrote {0}.', [path], {
    next: 'Name the agent with --agent if you know it.',
  });
}

async function bytesOf(path: string, from: number, to: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const length = Math.max(0, to - from);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [path, messageOf(cause)], {
      cause,
    });
  };

function inspection(thread: Thread): Inspection {
  const { counts } = thread;
  return {
    agent: thread.agent,
    // A subagent's records carry the id of the session that started it.
    sessionId: (thread.parent ?? thread.nativeId) || null,
    cwd: thread.cwd ?? null,
    userTurns: counts.userTurns,
    assistantMessages: counts.assistantMessages,
    toolCalls: counts.toolCalls,
    toolResultsMatched: counts.toolResultsMatched,
    toolResultsOrphan: counts.toolResultsOrphan,
    thinkingBlocks: counts.thinkingBlocks,
    firstPrompt: counts.firstPrompt ?? null,
    models: counts.models,
    firstAt: isoOf(counts.firstAt),
    lastAt: isoOf(counts.lastAt),
    malformed: counts.malformed,
    skipped: thread.skipped,
  };
}

const isoOf = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();
