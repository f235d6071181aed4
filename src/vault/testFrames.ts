import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { SqlValue } from 'sql.js';
import type { BatchHeader, ThreadEvent } from '../core/model/records.js';
import type { SessionEvent } from '../core/model/session.js';
import type { Snapshot } from '../core/model/snapshot.js';
import type { ThreadSummary } from '../core/model/thread.js';
import { encodeBatch } from './batch.js';
import { SessionIndex } from './sessionIndex.js';
import { loadSql } from './sqlite.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** Frames and an index for tests of what is made of them. */

const { resolve } = createRequire(import.meta.url);

export const wasm = resolve('sql.js/dist/sql-wasm.wasm');
/** For `node --import`, so that a process of its own can run our sources. */
export const tsx = pathToFileURL(resolve('tsx')).href;

export async function emptyIndex(file?: string): Promise<SessionIndex> {
  return (await SessionIndex.open({ file, wasm })).index;
}

/** A pack that exists in memory only: its frames lie one behind the other, their clocks grow. */
export class TestPack {
  readonly frames: Frame[] = [];
  private end = 16;

  constructor(
    readonly name: string,
    private clock = 1n,
  ) {}

  get covered(): { readonly pack: string; readonly offset: number } {
    return { pack: this.name, offset: this.end };
  }

  session(sessionId: string, event: Partial<SessionEvent> = {}): Frame {
    return this.json(FrameType.session, {
      schemaVersion: 1,
      sessionId,
      at: 1000,
      set: {},
      ...event,
    });
  }

  snapshot(
    sessionId: string,
    id: string,
    {
      summary,
      ...rest
    }: Partial<Omit<Snapshot, 'summary'>> & { summary?: Partial<Snapshot['summary']> } = {},
  ): Frame {
    return this.json(FrameType.snapshot, {
      schemaVersion: 1,
      id,
      sessionId,
      at: 2000,
      reason: 'edits',
      parts: {},
      threads: [],
      summary: { tabs: 0, changes: 0, turns: 0, ...summary },
      ...rest,
    });
  }

  /** Records `first` to `first + texts.length` of a thread. */
  records(thread: string, texts: readonly string[], head: Partial<BatchHeader> = {}): Frame {
    const { first = 0, generation = 0 } = head;
    const header: BatchHeader = {
      schemaVersion: 1,
      thread,
      generation,
      first,
      count: texts.length,
      cursor: {
        path: `/store/${thread}`,
        offset: (first + texts.length) * 10,
        generation,
        records: first + texts.length,
        state: {},
      },
      ...head,
    };
    return this.add(
      FrameType.records,
      encodeBatch(
        header,
        texts.map((text) => Buffer.from(text)),
      ),
    );
  }

  thread(thread: string, state: ThreadEvent['state'], continues?: ThreadEvent['continues']): Frame {
    return this.json(FrameType.thread, {
      schemaVersion: 1,
      thread,
      at: 3000,
      state,
      ...(continues && { continues }),
    });
  }

  blob(text: string): Frame {
    return this.add(FrameType.blob, Buffer.from(text));
  }

  json(type: number, value: unknown): Frame {
    return this.add(type, Buffer.from(JSON.stringify(value)));
  }

  add(type: number, payload: Uint8Array): Frame {
    const frame: Frame = {
      pack: this.name,
      offset: this.end,
      end: this.end + payload.length + 80,
      type,
      clock: this.clock++,
      sessionId: undefined,
      hash: createHash('sha256').update(payload).digest('hex'),
      payload,
    };
    this.end = frame.end;
    this.frames.push(frame);
    return frame;
  }
}

export const summaryOf = (id: string, rest: Partial<ThreadSummary> = {}): ThreadSummary => ({
  id,
  agent: id.slice(0, id.indexOf(':')),
  nativeId: id.slice(id.indexOf(':') + 1),
  title: `Title of ${id}`,
  turns: 1,
  messages: 2,
  openTodos: [],
  working: false,
  generation: 0,
  records: 1,
  bytes: 10,
  state: 'live',
  skipped: 0,
  ...rest,
});

/** Every row of a database file, packs by name, as text that can be compared. */
export async function dump(bytes: Uint8Array): Promise<string> {
  const sql = await loadSql(wasm);
  const database = new sql.Database(bytes);
  const rows = (statement: string): SqlValue[][] => database.exec(statement)[0]?.values ?? [];
  const packs = new Map(rows('SELECT id, name FROM pack').map(([id, name]) => [id, name]));
  const lines = rows("SELECT name FROM sqlite_schema WHERE type = 'table'").flatMap(([table]) => {
    const [result] = database.exec(`SELECT * FROM ${String(table)}`);
    const isPack = (column: string): boolean =>
      column === 'pack' || (table === 'pack' && column === 'id');
    const columns = result?.columns.map(isPack) ?? [];
    return (result?.values ?? []).map((values) => {
      const cells = values.map((value, at) => (columns[at] ? packs.get(value) : value));
      return `${String(table)} ${JSON.stringify(cells)}`;
    });
  });
  database.close();
  return lines.sort().join('\n');
}
