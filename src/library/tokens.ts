import { extname } from 'node:path';
import type { CountTokens } from '../core/convert/window.js';
import type * as Tokenizer from './tokenizer.js';

/** One run without a space is counted in pieces: the tokenizer takes time with the square of a run. */
const longRun = /\S{256}/gu;

/**
 * A counter of tokens by OpenAI's `cl100k_base`. Other vendors do not publish theirs; those count about as many
 * for prose, and up to a third more for code.
 */
export async function loadCountTokens(): Promise<CountTokens> {
  const file = new URL(`tokenizer${extname(import.meta.url)}`, import.meta.url).href;
  const { countTokens } = (await import(file)) as typeof Tokenizer;
  // Marks such as `<|endoftext|>` are text here, as nothing of it is sent as tokens.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text.replace(longRun, '$& '), asText);
}
