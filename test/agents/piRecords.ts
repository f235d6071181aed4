/** Entries as Pi writes them, for tests: one a second, each hanging on the one before. */
export type Fields = Readonly<Record<string, unknown>>;

export const sessionId = '01a22ae5-0750-751f-9824-7a48f3040f76';
const start = Date.UTC(2026, 0, 5, 9, 0, 0);

export class PiWriter {
  readonly lines: string[] = [];
  private last: string | null = null;

  header(cwd = '/home/user/project', fields: Fields = {}): void {
    const timestamp = this.time();
    this.loose({ type: 'session', version: 3, id: sessionId, timestamp, cwd, ...fields });
  }

  /** Returns the entry's id. */
  add(type: string, fields: Fields = {}): string {
    const id = this.lines.length.toString(16).padStart(8, '0');
    const entry = { type, id, parentId: this.last, timestamp: this.time(), ...fields };
    this.last = entry.id;
    this.loose(entry);
    return this.last;
  }

  loose(entry: unknown): void {
    this.lines.push(JSON.stringify(entry));
  }

  message(role: string, content: unknown, fields: Fields = {}, outer: Fields = {}): string {
    const timestamp = start + this.lines.length * 1000 - 100;
    return this.add('message', { message: { role, content, timestamp, ...fields }, ...outer });
  }

  user(text: string, outer: Fields = {}): string {
    return this.message('user', [{ type: 'text', text }], {}, outer);
  }

  answer(content: readonly Fields[], fields: Fields = {}): string {
    const stopReason = content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
    const about = { provider: 'anthropic', model: 'claude-sonnet-4-5', stopReason };
    return this.message('assistant', content, { ...about, ...fields });
  }

  say(text: string): string {
    return this.answer([{ type: 'text', text }]);
  }

  result(toolCallId: string, text = 'ok', isError = false): string {
    const about = { toolCallId, toolName: 'bash', isError };
    return this.message('toolResult', [{ type: 'text', text }], about);
  }

  private time(): string {
    return new Date(start + this.lines.length * 1000).toISOString();
  }
}

export const callBlock = (id: string, args: Fields = { command: 'ls' }): Fields => ({
  type: 'toolCall',
  id,
  name: 'bash',
  arguments: args,
});

export const writing = (write: (to: PiWriter) => void): readonly string[] => {
  const writer = new PiWriter();
  write(writer);
  return writer.lines;
};
