/**
 * Records as Claude Code writes them, for tests: short ids, one record a second, each hanging on the
 * one before unless told otherwise.
 */
export type RecordFields = Readonly<Record<string, unknown>>;

export const sessionId = '5f2c9d1e-7a43-4b8f-9c56-0d1e2f3a4b5c';
export const folder = '/home/user/project';
const start = Date.UTC(2026, 0, 5, 9, 0, 0);

export class ClaudeWriter {
  readonly lines: string[] = [];
  private last: string | null = null;
  private count = 0;

  constructor(private readonly common: RecordFields = {}) {}

  /** A record in the tree; returns its id. */
  add(type: string, fields: RecordFields = {}): string {
    const uuid = fields['uuid'] ?? `u${this.count}`;
    const timestamp = new Date(start + this.count * 1000).toISOString();
    this.count += 1;
    const record = {
      parentUuid: this.last,
      isSidechain: false,
      userType: 'external',
      cwd: folder,
      sessionId,
      version: '2.1.42',
      gitBranch: 'main',
      type,
      uuid,
      timestamp,
      ...this.common,
      ...fields,
    };
    this.last = record.uuid as string;
    this.loose(record);
    return this.last;
  }

  /** A record outside the tree. */
  loose(record: unknown): void {
    this.lines.push(JSON.stringify(record));
  }

  user(content: unknown, fields: RecordFields = {}): string {
    return this.add('user', { message: { role: 'user', content }, ...fields });
  }

  /** One line of an answer; lines with one message id are one answer. */
  answer(
    id: string,
    block: RecordFields,
    fields: RecordFields = {},
    stop: string | null = null,
  ): string {
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [block],
      stop_reason: stop,
      ...(fields['message'] as RecordFields | undefined),
    };
    return this.add('assistant', { requestId: `req_${id}`, ...fields, message });
  }

  say(id: string, text: string, fields: RecordFields = {}): string {
    return this.answer(id, { type: 'text', text }, fields);
  }

  call(id: string, callId: string, name = 'Bash', input: unknown = { command: 'ls' }): string {
    return this.answer(id, { type: 'tool_use', id: callId, name, input });
  }

  result(callId: string, content: unknown = 'ok', fields: RecordFields = {}): string {
    return this.user([{ type: 'tool_result', tool_use_id: callId, content }], fields);
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }
}

export const writing = (write: (to: ClaudeWriter) => void): readonly string[] => {
  const writer = new ClaudeWriter();
  write(writer);
  return writer.lines;
};
