/**
 * Titles, prompts and labels come from transcripts and from other machines: hostile text. Everything
 * of theirs that reaches the window passes through here.
 */

// Controls (C0, C1, line and paragraph separators) become spaces; what has no width or turns the
// direction of text goes away (https://trojansource.codes). The joiner U+200D stays: emoji need it.
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const invisible =
  /[\u00ad\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** One line of at most `max` characters, fit for a label. */
export function plain(text: string, max = 120): string {
  // What is cut off anyway need not be cleaned; a prompt may hold megabytes.
  const head = text.slice(0, max * 4);
  const line = head.replace(invisible, '').replace(controls, ' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= max && head.length === text.length) return line;
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`;
}

/** The text as markdown that shows it literally: every ASCII punctuation character is escaped. */
export const escapeMarkdown = (text: string): string => text.replace(/[!-/:-@[-`{-~]/gu, '\\$&');

/** The text for a quick pick or the status bar, where `$(name)` would become an icon. */
export const escapeIcons = (text: string): string => text.replace(/\$\(/gu, '\\$(');
