/** Lines as Codex writes them, for tests: one a second. */
export type Fields = Readonly<Record<string, unknown>>;

export const threadId = '0199a213-81c0-7800-8aa1-bbab2a035a53';
const start = Date.UTC(2026, 0, 5, 9, 0, 0);

export class CodexWriter {
  readonly lines: string[] = [];

  add(type: string, payload: Fields, more: Fields = {}): void {
    const timestamp = new Date(start + this.lines.length * 1000).toISOString();
    this.loose({ timestamp, type, payload, ...more });
  }

  loose(record: unknown): void {
    this.lines.push(JSON.stringify(record));
  }

  meta(more: Fields = {}): void {
    this.add('session_meta', {
      id: threadId,
      timestamp: '2026-01-05T08:59:59.000Z',
      cwd: '/home/user/project',
      originator: 'codex_cli_rs',
      cli_version: '0.91.0',
      source: 'cli',
      model_provider: 'openai',
      git: { branch: 'main', commit_hash: 'c0ffee' },
      ...more,
    });
  }

  context(model = 'gpt-5-codex', cwd = '/home/user/project'): void {
    this.add('turn_context', { cwd, model, approval_policy: 'on-request' });
  }

  item(type: string, payload: Fields = {}): void {
    this.add('response_item', { type, ...payload });
  }

  event(type: string, payload: Fields = {}): void {
    this.add('event_msg', { type, ...payload });
  }

  message(role: string, text: string, more: Fields = {}): void {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    this.item('message', { role, content: [{ type, text }], ...more });
  }

  /** A prompt as the versions of 2025-10 to 2026-06 write it: for the model, then for the person. */
  prompt(text: string): void {
    this.message('user', text);
    this.event('user_message', { message: text, images: [], kind: 'plain' });
  }

  say(text: string, more: Fields = {}): void {
    this.event('agent_message', { message: text });
    this.message('assistant', text, more);
  }

  think(text: string): void {
    this.event('agent_reasoning', { text });
    const summary = [{ type: 'summary_text', text }];
    this.item('reasoning', { summary, content: null, encrypted_content: 'gAAAA' });
  }

  call(id: string, name = 'exec_command', input: unknown = { cmd: 'ls' }): void {
    this.item('function_call', { name, arguments: JSON.stringify(input), call_id: id });
  }

  result(id: string, output: unknown = 'Process exited with code 0\nOutput:\nok\n'): void {
    this.item('function_call_output', { call_id: id, output });
  }
}

export const writing = (write: (to: CodexWriter) => void): readonly string[] => {
  const writer = new CodexWriter();
  write(writer);
  return writer.lines;
};
