/** Records as Qwen Code writes them, for tests: one a second, each hanging on the one before. */
export type Fields = Readonly<Record<string, unknown>>;

export const sessionId = 'fb3df816-2560-4649-8f39-a562bf29a645';
const start = Date.UTC(2026, 0, 5, 9, 0, 0);

export class QwenWriter {
  readonly lines: string[] = [];
  private last: string | null = null;

  constructor(private readonly common: Fields = {}) {}

  /** Returns the record's id. */
  add(type: string, fields: Fields = {}): string {
    const record = {
      uuid: `u${this.lines.length}`,
      parentUuid: this.last,
      sessionId,
      timestamp: new Date(start + this.lines.length * 1000).toISOString(),
      type,
      cwd: '/home/user/project',
      version: '0.15.10',
      gitBranch: 'main',
      ...this.common,
      ...fields,
    };
    this.last = record.uuid;
    this.lines.push(JSON.stringify(record));
    return record.uuid;
  }

  user(text: string, fields: Fields = {}): string {
    return this.add('user', { message: { role: 'user', parts: [{ text }] }, ...fields });
  }

  answer(parts: readonly Fields[], fields: Fields = {}): string {
    return this.add('assistant', {
      model: 'qwen3-coder',
      message: { role: 'model', parts },
      ...fields,
    });
  }

  system(subtype: string, systemPayload: Fields, fields: Fields = {}): string {
    return this.add('system', { subtype, systemPayload, ...fields });
  }

  result(id: string, output = 'ok', status = 'success'): string {
    const response = status === 'success' ? { output } : { error: output };
    return this.add('tool_result', {
      message: { role: 'user', parts: [{ functionResponse: { id, name: 'x', response } }] },
      toolCallResult: { callId: id, status, resultDisplay: output },
    });
  }
}

export const callPart = (id: string, name = 'run_shell_command', args: Fields = {}): Fields => ({
  functionCall: { id, name, args },
});

export const writing = (
  write: (to: QwenWriter) => void,
  common: Fields = {},
): readonly string[] => {
  const writer = new QwenWriter(common);
  write(writer);
  return writer.lines;
};
