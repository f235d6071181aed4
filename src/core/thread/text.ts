const escape = '\\u001b';
const bell = '\\u0007';
/** Colours, cursor moves and window titles of terminals: CSI and OSC sequences. */
const terminalCodes = new RegExp(
  `${escape}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\\][^${bell}${escape}]{0,4096}(?:${bell}|${escape}\\\\))`,
  'g',
);
/** Controls, halves of pairs, and characters that reorder or hide the text around them. */
const unseen =
  // eslint-disable-next-line no-control-regex -- to find control characters is the purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff\u{e0000}-\u{e007f}\p{Cs}]/gu;

/**
 * Text from a transcript as it may be shown: without terminal codes, every line end a line feed, and
 * characters that would deceive the eye spelled out as `[U+202E]`.
 */
export const visible = (text: string): string =>
  text
    .replace(terminalCodes, '')
    .replace(/\r\n?/g, '\n')
    .replace(unseen, (character) => `[${codePoint(character)}]`);

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** One line for a title or a summary: what cannot be seen is left out, the rest cut at `limit`. */
export function oneLine(text: string, limit: number): string {
  const head = text.slice(0, limit * 4).replace(terminalCodes, '');
  const line = head.replace(unseen, '').replace(/\s+/g, ' ').trim();
  const { kept } = cut(line, limit);
  return kept.length < line.length || text.length > limit * 4 ? `${kept.trimEnd()}…` : line;
}

/** The first `limit` characters (UTF-16 units, no pair is split) and how many there are beyond. */
export function cut(text: string, limit: number): { readonly kept: string; readonly more: number } {
  if (text.length <= limit) return { kept: text, more: 0 };
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit;
  return { kept: text.slice(0, end), more: text.length - end };
}

export const count = (value: number): string => value.toLocaleString('en-US');

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${count(bytes)} B`;
  const kilobytes = bytes / 1024;
  if (kilobytes < 1024) return `${kilobytes.toFixed(1)} KB`;
  return `${(kilobytes / 1024).toFixed(1)} MB`;
}

const encoder = new TextEncoder();
export const utf8Length = (text: string): number => encoder.encode(text).length;
