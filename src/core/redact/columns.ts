import { addIfSecret } from './assignments.js';
import { secretName, type SecretName } from './names.js';
import type { Detector, Scan } from './scan.js';

const MAX_LINE = 1000;
const MAX_ROWS = 100;
const heads = /^["'`*]{0,3}[\p{L}_][\p{L}\d_ .()-]{0,39}["'`*]{0,3}$/u;

interface Cell {
  readonly start: number;
  readonly end: number;
}

/**
 * The column of a table whose head says that secrets stand in it: CSV, TSV, Markdown, what databases
 * print. At a word of the head; a line is a head only when all of it reads as names.
 */
export const detectColumn: Detector = (scan, at) => {
  const { text } = scan;
  if (!scan.mayLook('column', at, at + 1)) return;
  const start = startOfLine(text, at);
  const newline = endOfLine(text, at);
  // One look at a line is enough.
  scan.lookedTo('column', newline ?? at + MAX_LINE);
  if (start === undefined || newline === undefined) return;
  const separator = separatorOf(text.slice(start, newline));
  if (separator === undefined) return;
  const head = cellsOf(text, start, newline, separator);
  if (head.length < 2 || !head.every((cell) => heads.test(text.slice(cell.start, cell.end)))) {
    return;
  }
  const columns = head.map((cell) => meaningOf(text.slice(cell.start, cell.end)));
  if (columns.some((found) => found)) detectRows(scan, newline + 1, separator, columns);
};

/** Undefined when the line is too long for a head. */
function startOfLine(text: string, at: number): number | undefined {
  const low = Math.max(0, at - MAX_LINE);
  const newline = text.slice(low, at).lastIndexOf('\n');
  return newline >= 0 ? low + newline + 1 : low === 0 ? 0 : undefined;
}

function endOfLine(text: string, at: number): number | undefined {
  const newline = text.slice(at, at + MAX_LINE).indexOf('\n');
  return newline < 0 ? undefined : at + newline;
}

const meaningOf = (head: string): SecretName | undefined =>
  secretName(head.replace(/["'`*()]/g, '').trim());

/** Columns that are drawn with blanks only stand two or more apart. */
const BLANKS = '  ';

function separatorOf(line: string): string | undefined {
  for (const separator of ['\t', '|', '│', BLANKS, ';', ',']) {
    if (line.trim().includes(separator)) return separator;
  }
  return undefined;
}

function detectRows(
  scan: Scan,
  from: number,
  separator: string,
  columns: readonly (SecretName | undefined)[],
): void {
  const { text } = scan;
  let at = from;
  for (let row = 0; row < MAX_ROWS && at < text.length; row += 1) {
    const isLast = at + MAX_LINE >= text.length;
    const end = endOfLine(text, at) ?? (isLast ? text.length : undefined);
    if (end === undefined) return;
    const line = text.slice(at, end);
    const isRule = /^[\s|+:=─│┼├┤┌┐└┘-]{3,}$/.test(line);
    if (!isRule) {
      const cells = cellsOf(text, at, end, separator);
      if (cells.length !== columns.length) return;
      for (const [index, found] of columns.entries()) addCell(scan, found, cells[index]);
    }
    at = end + 1;
  }
}

function addCell(scan: Scan, found: SecretName | undefined, cell: Cell | undefined): void {
  if (!found || !cell || cell.end - cell.start > 400) return;
  const raw = scan.text.slice(cell.start, cell.end);
  const inner = raw.replace(/^["'`*]{1,3}|["'`*]{1,3}$/g, '');
  if (inner === '') return;
  const start = cell.start + raw.indexOf(inner);
  addIfSecret(scan, found, { start, end: start + inner.length, style: 'quoted' });
}

/** The cells of a line without the blanks around them; bars at its ends open and close nothing. */
function cellsOf(text: string, start: number, end: number, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  let from = start;
  if (separator === BLANKS) {
    for (const match of text.slice(start, end).matchAll(/\S+(?: \S+)*/g)) {
      const at = start + match.index;
      cells.push({ start: at, end: at + match[0].length });
    }
    return cells;
  }
  for (let at = start; at <= end; at += 1) {
    if (at < end && text[at] !== separator) continue;
    // What lines columns up is no empty one.
    if (separator === '\t' && at > from && at < end && text[at + 1] === '\t') continue;
    cells.push(trimmed(text, from, at));
    from = at + 1;
  }
  if (separator !== '|' && separator !== '│') return cells;
  const [first] = cells;
  if (first?.start === first?.end) cells.shift();
  const last = cells.at(-1);
  if (last?.start === last?.end) cells.pop();
  return cells;
}

function trimmed(text: string, from: number, to: number): Cell {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text[start] ?? '')) start += 1;
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}
