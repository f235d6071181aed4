import { visible } from '../thread/text.js';
import type { Range } from './needle.js';
import type { Snippet } from './types.js';

/** Characters before the first place that was found, and in all. */
const BEFORE = 40;
const LENGTH = 160;

/**
 * Some of a text around what was found in it: one line, what cannot be seen spelled out.
 *
 * @param ranges places in the text, in any order
 */
export function snippetOf(text: string, ranges: readonly Range[]): Snippet {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  const first = sorted[0]?.start ?? 0;
  const start = startNear(text, first);
  const end = Math.max(start + LENGTH, sorted[0]?.end ?? 0);
  const begin = start > 0 ? '…' : '';
  const line = new Line(begin);
  let at = start;
  for (const range of sorted) {
    if (range.start < at || range.end > end) continue;
    line.add(text.slice(at, range.start));
    line.addMatch(text.slice(range.start, range.end));
    at = range.end;
  }
  line.add(cutAt(text, at, end));
  if (end < text.length) line.add('…');
  return line.snippet();
}

/** Where a word begins, some characters before an index. */
function startNear(text: string, index: number): number {
  const from = Math.max(0, index - BEFORE);
  if (from === 0) return 0;
  const space = text.slice(from, index).search(/\s/);
  const start = space < 0 ? from : from + space + 1;
  return isLow(text, start) ? start + 1 : start;
}

const isLow = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
};

const cutAt = (text: string, from: number, to: number): string =>
  text.slice(from, isLow(text, to) ? to - 1 : to);

class Line {
  private readonly matches: Range[] = [];

  constructor(private text: string) {}

  add(piece: string): void {
    this.text += inOneLine(piece, this.text === '' || this.text === '…');
  }

  addMatch(piece: string): void {
    const start = this.text.length;
    this.text += inOneLine(piece, false);
    this.matches.push({ start, end: this.text.length });
  }

  snippet(): Snippet {
    return { text: this.text, matches: this.matches };
  }
}

function inOneLine(piece: string, isFirst: boolean): string {
  const line = visible(piece).replace(/\s+/g, ' ');
  return isFirst ? line.trimStart() : line;
}
