import { oneLine } from '../../core/thread/text.js';

/**
 * Titles, prompts and labels come from transcripts and from other machines: hostile text. Everything
 * of theirs that reaches the window passes through here.
 */

/** One line of at most `max` characters, fit for a label; nothing in it is unseen or turns its direction. */
export const plain = (text: string, max = 120): string => oneLine(text, max);

/** The text as markdown that shows it literally: every ASCII punctuation character is escaped. */
export const escapeMarkdown = (text: string): string => text.replace(/[!-/:-@[-`{-~]/gu, '\\$&');

/** The text for a quick pick or the status bar, where `$(name)` would become an icon. */
export const escapeIcons = (text: string): string => text.replace(/\$\(/gu, '\\$(');
