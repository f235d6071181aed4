/*
 * Transcripts that Cursor and its command line kept as plain text before they kept JSON lines (about February 2026):
 * `projects/<folder>/agent-transcripts/<id>.txt`, or `<id>/<id>.txt`. Known from files that people published.
 *
 * - A line `user:` or `assistant:` (by some versions `A:`), alone and behind an empty line, begins a message.
 * - A person's words stand within `<user_query>`, behind `[Image]` for each picture and the editor's blocks.
 * - An answer's step is words, `[Thinking] …`, and `[Tool call] Name` with a line `  key: value` for each argument, and
 *   ends with an empty line and `[Tool result] Name` for each call, in the calls' order; a next step is a next message.
 * - Values are written as they are: texts over as many lines as they have, without any indent; lists as JSON.
 * - What tools answered is left out, in all files that were seen; some versions may write it below its mark.
 * - There are no ids, times, models, or costs.
 *
 * Nothing is escaped, so that a value, a result or an answer may hold lines that look like these marks. They are read
 * as marks, with one exception: a message does not begin within a call whose result still comes.
 */

type Role = 'user' | 'assistant';

const roles: Readonly<Record<string, Role>> = {
  'user:': 'user',
  'assistant:': 'assistant',
  'A:': 'assistant',
};

export const roleOf = (line: string): Role | undefined => roles[line.trimEnd()];

const mark = /^\[(Thinking|Tool call|Tool result)\] ?(.*)$/;

export interface Mark {
  readonly kind: 'Thinking' | 'Tool call' | 'Tool result';
  /** What stands behind it on its line: a tool's name, or the beginning of a thought. */
  readonly rest: string;
}

export function markOf(line: string): Mark | undefined {
  const [, kind, rest = ''] = mark.exec(line) ?? [];
  if (kind !== 'Thinking' && kind !== 'Tool call' && kind !== 'Tool result') return undefined;
  return { kind, rest: rest.trim() };
}

/** Whether a text that begins so is such a transcript: some file of settings may begin with `user:`, too. */
export function isPlainTranscript(head: string): boolean {
  const text = `\n\n${head.replace(/^\uFEFF/, '').trimStart()}`;
  return !/^\s*[[{]/.test(text) && message.test(text) && evidence.test(text);
}

const message = /\n[^\S\n]*\n(?:user|assistant|A):[^\S\n]*\n/;
const evidence =
  /<user_query>|^\[Tool (?:call|result)\]|\n[^\S\n]*\nuser:[^\S\n]*\n[^]*?\n[^\S\n]*\n(?:assistant|A):[^\S\n]*\n/m;

interface Line {
  readonly from: number;
  readonly text: string;
}

/** Cuts a transcript into messages, each its own bytes; what stands before the first one is one, too. */
export function messagesIn(bytes: Buffer): readonly Uint8Array[] {
  const lines = linesIn(bytes);
  const start = lines[0]?.from ?? 0;
  const begins = new Begins(lines);
  const starts = lines.filter((_, at) => begins.at(at)).map(({ from }) => from);
  const [first = bytes.length] = starts;
  if (bytes.toString('latin1', start, first).trim() !== '') starts.unshift(start);
  return starts.map((from, at) => bytes.subarray(from, starts[at + 1] ?? bytes.length));
}

function linesIn(bytes: Buffer): readonly Line[] {
  const lines: Line[] = [];
  // A byte order mark is no part of the first line.
  const start = bytes.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? 3 : 0;
  for (let from = start; from < bytes.length;) {
    const end = bytes.indexOf('\n', from);
    const to = end < 0 ? bytes.length : end + 1;
    // Marks are ASCII, and one byte a character keeps what is no text from being changed.
    lines.push({ from, text: bytes.toString('latin1', from, to).trimEnd() });
    from = to;
  }
  return lines;
}

/** Tells, line by line and from the first on, which of them begin a message. */
class Begins {
  /** The next mark of a call or result from each line on. */
  private readonly next: (Mark | undefined)[];
  /** Calls of the message whose results have not come. */
  private pending: string[] = [];
  private hasBegun = false;

  constructor(private readonly lines: readonly Line[]) {
    this.next = new Array<Mark | undefined>(lines.length);
    let next: Mark | undefined;
    for (let at = lines.length - 1; at >= 0; at--) {
      const found = markOf(lines[at]?.text ?? '');
      if (found !== undefined && found.kind !== 'Thinking') next = found;
      this.next[at] = next;
    }
  }

  at(at: number): boolean {
    const text = this.lines[at]?.text ?? '';
    const found = markOf(text);
    if (found?.kind === 'Tool call') this.pending.push(found.rest);
    if (found?.kind === 'Tool result') this.settle(found.rest);
    if (roleOf(text) === undefined || !this.isApart(at) || this.isInCall(at)) return false;
    this.pending = [];
    this.hasBegun = true;
    return true;
  }

  /** A line of a value may be such a word; between messages there is an empty line, or the end of one is marked. */
  private isApart(at: number): boolean {
    const before = this.lines[at - 1]?.text;
    if (before === undefined || before.trim() === '' || !this.hasBegun) return true;
    return before === '</user_query>' || markOf(before)?.kind === 'Tool result';
  }

  private isInCall(at: number): boolean {
    const next = this.next[at];
    return next?.kind === 'Tool result' && this.pending.includes(next.rest);
  }

  private settle(name: string): void {
    const at = this.pending.indexOf(name);
    if (at >= 0) this.pending.splice(at, 1);
  }
}
