import type { ParserOptions, ThreadParser } from '../agents/source.js';
import { ExpectedError } from '../core/errors.js';
import type { ExportResult } from '../core/handoff.js';
import { idInRecords, splitThreadId } from '../core/model/ids.js';
import type { Thread } from '../core/model/thread.js';
import type { ExportRequest } from './exportSession.js';
import type { ReadableFormat, ReadableSession } from './formats/readable.js';
import { select, type Selection } from './selection.js';
import type { Sharing } from './sharing.js';
import type { SessionSource } from './source.js';

/** Makes a parser for an agent's records; undefined for an agent that is not known. */
export type ParserOf = (
  agent: string,
  nativeId: string,
  options: ParserOptions,
) => ThreadParser | undefined;

/** A session as a file to be read elsewhere, from records that went through the same gate as in any export. */
export class ReadableExport {
  private counted = { snapshots: 0, threads: 0, records: 0 };

  constructor(
    private readonly source: SessionSource,
    private readonly sharing: Sharing,
    private readonly request: ExportRequest,
    private readonly parserOf: ParserOf,
  ) {}

  /** @throws ExpectedError as `SessionExport.entries`; `nothingToRead` */
  async *bytes(format: ReadableFormat): AsyncGenerator<Uint8Array, void, undefined> {
    const encoder = new TextEncoder();
    const { sessionId, choice, signal } = this.request;
    const selection = await select(this.source, sessionId, choice);
    for await (const text of format(this.readable(selection))) {
      signal?.throwIfAborted();
      // Half of a surrogate pair has no bytes of UTF-8.
      yield encoder.encode(text);
    }
    if (this.counted.threads === 0 && selection.threads.length > 0) {
      throw new ExpectedError(
        'nothingToRead',
        'This version does not read any of the agents of this session.',
        [],
        { next: 'Export it as a session file.' },
      );
    }
  }

  get result(): Pick<ExportResult, 'snapshots' | 'threads' | 'records' | 'redaction'> {
    return { ...this.counted, redaction: this.sharing.report() };
  }

  private readable(selection: Selection): ReadableSession {
    const { id, title, goal, status, tags, createdAt, updatedAt } = selection.session;
    const snapshots = selection.snapshots.map(({ snapshot }) => {
      const { at, reason, label, summary } = snapshot;
      return { id: snapshot.id, at, reason, label, branch: summary.branch };
    });
    this.counted.snapshots = snapshots.length;
    const session = { id, title, goal, status, tags, createdAt, updatedAt };
    const { author, tool } = this.request;
    const shared = this.sharing.value({ session, snapshots, author: author.name });
    return {
      ...(shared as Pick<ReadableSession, 'session' | 'snapshots' | 'author'>),
      threads: this.threads(selection),
      tool,
      createdAt: Date.now(),
      redaction: () => this.sharing.report(),
    };
  }

  private async *threads({ threads, wanted }: Selection): AsyncGenerator<Thread, void, undefined> {
    const { signal, onProgress, choice } = this.request;
    for (const [at, summary] of threads.entries()) {
      signal?.throwIfAborted();
      onProgress?.(at, threads.length);
      const { agent, nativeId } = splitThreadId(summary.id);
      const parser = this.parserOf(agent, idInRecords(nativeId), { images: choice.images });
      const newest = wanted.get(summary.id)?.at(-1);
      if (!parser || !newest) continue;
      for await (const record of this.source.records(
        summary.id,
        newest.generation,
        newest.records,
      )) {
        signal?.throwIfAborted();
        parser.push(this.sharing.record(record));
        this.counted.records += 1;
      }
      this.counted.threads += 1;
      // Made of redacted records; what the parser took from elsewhere, such as an id, is looked at as well.
      yield this.sharing.value(parser.thread()) as Thread;
    }
  }
}
