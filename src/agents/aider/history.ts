/** A session within a history: from its header up to the next one. */
export interface Section {
  /** When it began, by the clock of its machine: `2026-01-05T09-00-00`. */
  readonly id: string;
  /** Milliseconds since the epoch; undefined for what stands before the first header. */
  readonly startedAt: number | undefined;
  readonly from: number;
  readonly to: number;
}

export const header = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)/;
const headers = new RegExp(header, 'gm');

/** What stands before the first header, as after a cut. */
const beginning = 'beginning';

/** The sessions of a history, in the order of the file. Offsets are bytes. */
export function sectionsOf(bytes: Buffer): readonly Section[] {
  // One byte a character keeps the offsets; headers are ASCII.
  const text = bytes.toString('latin1');
  const starts = [...text.matchAll(headers)].map((match) => {
    return { id: idOf(match), startedAt: timeOf(match), from: match.index };
  });
  const first = starts[0]?.from ?? text.length;
  if (text.slice(0, first).trim() !== '') {
    starts.unshift({ id: beginning, startedAt: Number.NaN, from: 0 });
  }
  const seen = new Map<string, number>();
  return starts.map(({ id, startedAt, from }, at) => {
    const copies = seen.get(id) ?? 0;
    seen.set(id, copies + 1);
    return {
      id: copies === 0 ? id : `${id}-${copies + 1}`,
      startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
      from,
      to: starts[at + 1]?.from ?? bytes.length,
    };
  });
}

/** Whether an id is that of a section, not of a whole file under another name. */
export const isSectionId = (id: string): boolean =>
  id === beginning || /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/.test(id);

const idOf = ([, year, month, day, hour, minute, second]: RegExpExecArray): string =>
  `${[year, month, day].join('-')}T${[hour, minute, second].join('-')}`;

/** The header has no time zone: it is the one of the machine. */
export function timeOf(match: RegExpExecArray): number {
  const [year = 0, month = 1, ...rest] = match.slice(1, 7).map(Number);
  const [day, hour, minute, second] = rest;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

/** A history of one conversation, which goes on in this file alone. */
const ownFile = /^\.aider\.chat\.history\.([A-Za-z0-9-]{8,64})\.md$/;

/** What a history of one conversation is called; Aider asks git to ignore whatever is called so. */
export const ownFileOf = (id: string): string => `.aider.chat.history.${id}.md`;

/** The conversation of a file that holds one; undefined for any other file. */
export const ownIdOf = (name: string): string | undefined => ownFile.exec(name)?.[1];

type LineKind = 'header' | 'user' | 'tool' | 'plain';

/** As aider itself tells lines apart (`split_chat_history_markdown` of its utils). */
export function kindOf(line: string): LineKind {
  if (header.test(line)) return 'header';
  if (line.startsWith('#### ')) return 'user';
  return line.startsWith('> ') ? 'tool' : 'plain';
}

/** Where Python, and so Aider, begins another line. */
const lineEnds = new RegExp(
  `\\r\\n|[\\r\\v\\f${String.fromCharCode(0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029)}]`,
  'g',
);

/**
 * A text in which Aider finds no marks of its own: lines end as they do in the file, and those of an answer that look
 * like a header, a prompt, what a tool said or a heading over thoughts begin with a space, which in Markdown says nothing.
 */
export function heldText(text: string, role: 'user' | 'assistant'): string {
  const lines = text.replace(lineEnds, '\n');
  if (role === 'user') return lines;
  return lines
    .replace(/^(?=# |> |#### |\*{0,2}►)/gm, ' ')
    .replace(/<(?=think>|thinking-content-)/g, '< ');
}

/**
 * Cuts a history into records, each an unbroken run of lines of one kind. Blank lines count as plain, so
 * that they part two prompts; those that stand alone belong to the run before.
 */
export function blocksOf(bytes: Buffer): readonly Uint8Array[] {
  const blocks: { kind: LineKind; from: number; to: number; isBlank: boolean }[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf('\n', from);
    const to = end < 0 ? bytes.length : end + 1;
    const line = bytes.toString('latin1', from, to);
    const kind = kindOf(line);
    const isBlank = line.trim() === '';
    const last = blocks.at(-1);
    if (last?.kind === kind && kind !== 'header') {
      last.to = to;
      last.isBlank &&= isBlank;
    } else blocks.push({ kind, from, to, isBlank });
    from = to;
  }
  return blocks.flatMap(({ from, to, isBlank }, at) => {
    if (isBlank) return [];
    const next = blocks[at + 1];
    return [bytes.subarray(from, next?.isBlank === true ? next.to : to)];
  });
}
