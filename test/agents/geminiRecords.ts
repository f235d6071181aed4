/** Records as Gemini CLI writes them, for tests: one message a second. */
export type Fields = Readonly<Record<string, unknown>>;

export const sessionId = '5d0957ef-ad75-448a-bd22-be2ba05a9002';
const start = Date.UTC(2026, 0, 5, 9, 0, 0);
const timeOf = (at: number): string => new Date(start + at * 1000).toISOString();

export const metadata = (more: Fields = {}): Fields => ({
  sessionId,
  projectHash: 'a2c7364d29611e283f5856bbfebf48afc18754f0aa4914f6b0a657fa538713c1',
  startTime: timeOf(0),
  lastUpdated: timeOf(0),
  kind: 'main',
  ...more,
});

export const contextText = (folder: string): string =>
  `<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - ${folder}\n</session_context>`;

export const user = (id: string, text: unknown, more: Fields = {}): Fields => ({
  id,
  timestamp: timeOf(Number(id.replace(/\D/g, '')) || 0),
  type: 'user',
  content: typeof text === 'string' ? [{ text }] : text,
  ...more,
});

export const gemini = (id: string, text: unknown, more: Fields = {}): Fields => ({
  id,
  timestamp: timeOf(Number(id.replace(/\D/g, '')) || 0),
  type: 'gemini',
  content: text,
  thoughts: [],
  tokens: { input: 10, output: 5, cached: 0, thoughts: 0, tool: 0, total: 15 },
  model: 'gemini-2.5-pro',
  ...more,
});

export const response = (id: string, output = 'ok'): Fields => ({
  functionResponse: { id, name: 'run_shell_command', response: { output } },
});

export const call = (id: string, more: Fields = {}): Fields => ({
  id,
  name: 'run_shell_command',
  args: { command: 'ls' },
  result: [response(id)],
  status: 'success',
  timestamp: timeOf(0),
  ...more,
});

export const set = (fields: Fields): Fields => ({ $set: fields });

export const linesOf = (...records: readonly unknown[]): readonly string[] =>
  records.map((record) => JSON.stringify(record));
