import { createHash } from 'node:crypto';
import { openCodeParser } from '../../src/agents/opencode/parse.js';
import type { ThreadParser } from '../../src/agents/source.js';
import { rowRecord } from '../../src/agents/sqlite/rowRecord.js';

type Data = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, string | number | null>>;

export const created = 1_796_000_000_000;

/** Rows as OpenCode writes them, for tests: one millisecond a row, parts hang on the message before. */
export class OpenCodeWriter {
  readonly rows: { readonly table: string; readonly row: Row }[] = [];
  private message = '';
  private count = 0;

  constructor(
    readonly session = 'ses_1',
    private readonly directory = '/home/user/project',
  ) {
    this.setSession({});
  }

  setSession(fields: Row): this {
    return this.put('session', {
      id: this.session,
      project_id: 'global',
      parent_id: null,
      directory: this.directory,
      title: 'New session - 2026-11-30T05:25:40.721Z',
      version: '1.18.33',
      revert: null,
      time_created: created,
      time_updated: this.now(),
      ...fields,
    });
  }

  user(text: string, data: Data = {}): this {
    this.addMessage({ role: 'user', agent: 'build', ...data });
    return text === '' ? this : this.part({ type: 'text', text });
  }

  answer(data: Data = {}): this {
    const time = { created: this.now(), completed: this.now() + 1 };
    return this.addMessage({ role: 'assistant', modelID: 'm1', providerID: 'mock', time, ...data });
  }

  say(text: string, data: Data = {}): this {
    return this.answer(data).part({ type: 'text', text });
  }

  call(callID: string, state: Data = {}, tool = 'bash'): this {
    const done = { status: 'completed', input: { command: 'ls' }, output: `out ${callID}` };
    return this.part({ type: 'tool', tool, callID, state: { ...done, ...state } });
  }

  part(data: Data, id = `prt_${this.number()}`): this {
    return this.put('part', {
      id,
      message_id: this.message,
      session_id: this.session,
      time_created: this.now(),
      time_updated: this.now(),
      data: JSON.stringify(data),
    });
  }

  put(table: string, row: Row): this {
    this.rows.push({ table, row });
    return this;
  }

  get lastMessage(): string {
    return this.message;
  }

  private addMessage(data: Data): this {
    this.message = `msg_${this.number()}`;
    return this.put('message', {
      id: this.message,
      session_id: this.session,
      time_created: this.now(),
      time_updated: this.now(),
      data: JSON.stringify(data),
    });
  }

  private now(): number {
    return created + this.count;
  }

  /** Grows with time, and is another one in each session. */
  private number(): string {
    this.count += 1;
    const session = createHash('sha256').update(this.session).digest('hex').slice(0, 4);
    return `${String(this.count).padStart(5, '0')}${session}`;
  }
}

export function parsed(write: (to: OpenCodeWriter) => unknown, turns = true): ThreadParser {
  const writer = new OpenCodeWriter();
  write(writer);
  const parser = openCodeParser('opencode', 'ses_1', { turns });
  for (const { table, row } of writer.rows) {
    parser.push(Buffer.from(rowRecord(table, String(row['id']), row).record));
  }
  return parser;
}

/** A script that makes a database of the writers' rows, as versions since 1.2 have it. */
export function databaseScript(...writers: readonly OpenCodeWriter[]): string {
  const inserts = writers
    .flatMap(({ rows }) => rows)
    .map(({ table, row }) => {
      const values = Object.values(row).map(sqlOf);
      return `INSERT OR REPLACE INTO ${table} (${Object.keys(row).join()}) VALUES (${values.join()})`;
    });
  return [schema, ...inserts].join(';\n');
}

const sqlOf = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

const times = 'time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL';

export const schema = `
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT NOT NULL, title TEXT,
  version TEXT, revert TEXT, ${times});
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, ${times}, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, ${times}, data TEXT NOT NULL);
CREATE TABLE todo (session_id TEXT, content TEXT, status TEXT, priority TEXT, position INTEGER, ${times},
  PRIMARY KEY (session_id, position))`;
