import type { Problem } from '../core/engine.js';
import { oneLine } from '../core/thread/text.js';

/** Where results and complaints go. */
export interface Output {
  /** `--json`: results and errors are JSON. */
  readonly json: boolean;
  /** Prints a result: the value as JSON, or the words for a person. */
  result(value: unknown, words: () => string): void;
  /** Says on stderr what could not be read; in JSON the value of the result says it. */
  problems(problems: readonly Problem[]): void;
  /** The same output, but for results in this form. */
  with(form: { readonly json: boolean }): Output;
}

export const createOutput = (json: boolean): Output => ({
  json,
  result(value, words) {
    process.stdout.write(`${json ? toJson(value) : words()}\n`);
  },
  problems(problems) {
    if (json) return;
    for (const { where, message } of problems) {
      process.stderr.write(`Warning: ${plain(where)}: ${plain(message, 500)}\n`);
    }
  },
  with: (form) => createOutput(form.json),
});

/** Titles and names come from transcripts: hostile text that must not steer a terminal. */
export const plain = (text: string, max = 200): string => oneLine(text, max);

/** JSON that is fit for a terminal too: what is unseen in it is escaped. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
