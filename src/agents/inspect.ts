import type { Skipped, Thread, Tokens } from '../core/model/thread.js';
import { foldFile } from './foldFile.js';
import { openTranscript, unreadable } from './transcriptFile.js';

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

/**
 * Reads one transcript from anywhere and counts what is in it, in chunks, so of any size.
 * Rejects with an `ExpectedError` when the file cannot be read, or no agent knows it.
 *
 * @param agent absent: told from the content
 * @param id the conversation of a database; absent: the newest one
 */
export async function inspectFile(path: string, agent?: string, id?: string): Promise<Inspection> {
  const { source, found, conversations } = await openTranscript(path, agent, id);
  const parser = await foldFile(source, found, { turns: false }).catch(unreadable(path));
  const inspected = inspection(parser.thread({ turns: false }));
  return conversations === undefined ? inspected : { ...inspected, conversations };
}

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
