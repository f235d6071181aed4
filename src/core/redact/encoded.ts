/** Base64 of printable text, decoded; undefined when it is anything else. */
export function decodeText(encoded: string): string | undefined {
  const plain = encoded.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (plain.length < 4 || plain.length % 4 === 1) return undefined;
  let bytes: string;
  try {
    bytes = atob(plain);
  } catch {
    return undefined;
  }
  return isPrintable(bytes) ? bytes : undefined;
}

function isPrintable(bytes: string): boolean {
  let odd = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at);
    // Bytes of UTF-8 are let pass: a text may hold any language.
    if (code === 127 || (code < 32 && code !== 9 && code !== 10 && code !== 13)) return false;
    if (code > 127) odd += 1;
  }
  return odd <= bytes.length * 0.2;
}

/** A text as its reader would see it, and where each part of it stands in the original. */
export interface View {
  readonly text: string;
  /** Where in the original begins what begins at an offset of the view. */
  readonly startOf: (offset: number) => number;
  /** Where in the original ends what ends at an offset of the view. */
  readonly endOf: (offset: number) => number;
}

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
/** Colours of terminals, links of theirs (ECMA-48), and the end of a shell's line that goes on in the next. */
const unseen = [
  `${ESC}(?:\\[[0-9;?]{0,20}[A-Za-z]|\\][^\\n${ESC}${BEL}]{0,200}(?:${BEL}|${ESC}\\\\))`,
  '\\\\\\r?\\n[ \\t]{0,40}',
].join('|');
const escape = new RegExp(
  [
    `(${unseen})`,
    '\\\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbf0"\'`\\\\/]))',
    '&(quot|amp|lt|gt|apos|#34|#39|#x27);',
    '%(3[aAdD]|2[2267bBfF]|40|20|5[bBdD]|7[bBdD])',
  ].join('|'),
  'g',
);
const plain: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: ' ',
  f: ' ',
  '0': ' ',
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  '#34': '"',
  '#39': "'",
  '#x27': "'",
};
const signs = ['\\', '&', '%', ESC];

/**
 * The lines that hold escapes (JSON, XML, URL, terminals), with one level of them resolved; undefined
 * when there are none. Other lines look the same with and without.
 */
export function unescaped(text: string): View | undefined {
  if (!signs.some((sign) => text.includes(sign))) return undefined;
  const starts: number[] = [];
  const shifts: number[] = [];
  let result = '';
  let from = 0;
  let lineEnd = -1;
  /** `gap`: what stood there is not in the view, so it lies between two of its offsets. */
  const place = (gap: number): void => {
    starts.push(result.length + gap);
    shifts.push(from - result.length);
  };
  for (const match of text.matchAll(escape)) {
    const end = match.index + match[0].length;
    if (match.index > lineEnd) {
      if (lineEnd >= 0) result += text.slice(from, lineEnd + 1);
      from = text.lastIndexOf('\n', match.index) + 1;
      lineEnd = endOfLine(text, match.index);
      place(0);
    }
    if (end > lineEnd) lineEnd = endOfLine(text, end);
    const isUnseen = match[1] !== undefined;
    result += text.slice(from, match.index) + (isUnseen ? '' : meaning(match));
    from = end;
    place(isUnseen ? 0.5 : 0);
  }
  if (lineEnd < 0) return undefined;
  return {
    text: result + text.slice(from, lineEnd),
    startOf: (offset) => offset + shiftAt(starts, shifts, offset + 0.5),
    endOf: (offset) => offset + shiftAt(starts, shifts, offset),
  };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function meaning(match: RegExpExecArray): string {
  const [, , unicode, byte, letter, entity, percent] = match;
  const code = unicode ?? byte ?? percent;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const name = letter ?? entity ?? '';
  return plain[name] ?? name;
}

/** Binary search for the last escape at or before the offset. */
function shiftAt(starts: readonly number[], shifts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return shifts[low] ?? 0;
}
