import type { Tokens } from '../core/model/thread.js';
import { fieldsOf, type Fields } from './json.js';

function numberIn(fields: Fields, names: readonly string[]): number {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number' && value > 0) return value;
  }
  return 0;
}

/** Undefined when nothing was counted: agents write zeros where they do not know. */
function tokens(input: number, output: number, cacheRead: number, cacheWrite: number) {
  if (input + output + cacheRead + cacheWrite <= 0) return undefined;
  return {
    input: Math.max(0, input),
    output,
    ...(cacheRead > 0 && { cacheRead }),
    ...(cacheWrite > 0 && { cacheWrite }),
  };
}

/**
 * A usage whose input does not count what came from the cache, as Anthropic's API has it and most agents
 * write it, in any of their spellings.
 */
export function usageApart(value: unknown): Tokens | undefined {
  const usage = fieldsOf(value);
  if (!usage) return undefined;
  const cache = fieldsOf(usage['cache']) ?? {};
  return tokens(
    numberIn(usage, ['input_tokens', 'inputTokens', 'input', 'tokensIn', 'input_other']),
    numberIn(usage, ['output_tokens', 'outputTokens', 'output', 'tokensOut']) +
      numberIn(usage, ['reasoning']),
    numberIn(usage, readNames) + numberIn(cache, ['read']),
    numberIn(usage, writeNames) + numberIn(cache, ['write']),
  );
}

const readNames = [
  'cache_read_input_tokens',
  'cacheReadInputTokens',
  'cacheReadTokens',
  'cacheReads',
  'cacheRead',
  'input_cache_read',
];
const writeNames = [
  'cache_creation_input_tokens',
  'cacheCreationInputTokens',
  'cacheWriteTokens',
  'cacheWrites',
  'cacheWrite',
  'input_cache_creation',
];

/** A usage whose input counts what came from the cache, too, as the APIs of OpenAI and Google have it. */
export function usageWithin(value: unknown): Tokens | undefined {
  const usage = fieldsOf(value);
  if (!usage) return undefined;
  const details =
    fieldsOf(usage['promptTokensDetails']) ?? fieldsOf(usage['prompt_tokens_details']);
  const read =
    numberIn(usage, ['cached_input_tokens', 'cachedContentTokenCount', 'cached']) +
    numberIn(details ?? {}, ['cachedTokens', 'cached_tokens']);
  const written =
    numberIn(usage, ['cache_write_input_tokens']) + numberIn(details ?? {}, ['cacheWriteTokens']);
  const input =
    numberIn(usage, ['input_tokens', 'promptTokenCount', 'promptTokens', 'input', 'prompt']) +
    numberIn(usage, ['toolUsePromptTokenCount', 'tool']);
  // What is thought is part of OpenAI's output, and beside Google's.
  const output = numberIn(usage, outputNames) + numberIn(usage, ['thoughtsTokenCount', 'thoughts']);
  return tokens(input - read - written, output, read, written);
}

const outputNames = [
  'output_tokens',
  'candidatesTokenCount',
  'completionTokens',
  'output',
  'completion',
];

export const sumOf = (one: Tokens | undefined, other: Tokens | undefined): Tokens | undefined =>
  one && other
    ? tokens(
        one.input + other.input,
        one.output + other.output,
        (one.cacheRead ?? 0) + (other.cacheRead ?? 0),
        (one.cacheWrite ?? 0) + (other.cacheWrite ?? 0),
      )
    : (one ?? other);

/** Adds up the tokens of answers; one that is told about again counts as it was told last. */
export class TokenTally {
  private readonly byKey = new Map<string, Tokens>();
  private rest: Tokens | undefined;

  add(told: Tokens | undefined, key?: string): void {
    if (told === undefined) return;
    if (key === undefined) this.rest = sumOf(this.rest, told);
    else this.byKey.set(key, told);
  }

  get total(): Tokens | undefined {
    return [...this.byKey.values()].reduce(sumOf, this.rest);
  }
}
