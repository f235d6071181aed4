import type { Skipped, Thread, Tokens } from '../core/model/thread.js';
import { beginningOf, isSqlite } from './fileForm.js';
import { foldFile } from './foldFile.js';
import { keysIn, recogniseFile } from './recogniseFile.js';
import { withTranscript, unknownFormat, type Transcript } from './transcriptFile.js';

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
export const inspectFile = (path: string, agent?: string, id?: string): Promise<Inspection> =>
  withTranscript(path, { agent, id }, async (transcript) => {
    const { source, found, conversations } = transcript;
    const parser = await foldFile(source, found, { turns: false });
    const inspected = inspection(parser.thread({ turns: false }));
    if (saysNothing(inspected)) await refuseForeign(path, transcript);
    return conversations === undefined ? inspected : { ...inspected, conversations };
  });

const saysNothing = ({ skipped, ...counts }: Inspection): boolean =>
  skipped.length === 0 &&
  counts.userTurns + counts.assistantMessages + counts.thinkingBlocks === 0 &&
  (counts.toolCalls ?? 0) + (counts.toolResultsOrphan ?? 0) === 0;

/** Of a file that was said to be an agent's and is not, zeros would be a lie. */
async function refuseForeign(path: string, { source, found }: Transcript): Promise<void> {
  const head = await beginningOf(found.path);
  if (head.length === 0 || isSqlite(head) || source.recognises === undefined) return;
  if ((await recogniseFile(found.path, head, [source])) === undefined) {
    throw unknownFormat(path, keysIn(head));
  }
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
