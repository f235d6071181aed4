import { z } from 'zod';
import { ExpectedError } from '../errors.js';
import type { CustomRule } from './find.js';
import { whySlow } from './patternCost.js';
import type { RuleSetting } from './settings.js';

/** As in the manifest, whose limits are only shown. */
const ruleSchema = z.object({
  name: z.string().trim().min(1).max(64),
  pattern: z.string().min(1).max(1000),
  kind: z.string().trim().min(1).max(64).optional(),
});

const MAX_RULES = 100;

/**
 * Rules ready to run.
 *
 * @throws ExpectedError `badRule` for one that is not written right, matches nothing at all, or could
 *   take time without end: everything would have to be withheld then
 */
export function customRules(settings: readonly RuleSetting[]): readonly CustomRule[] {
  const { rules, problems } = readRules(settings);
  const [first] = problems;
  if (first) throw first;
  return rules;
}

export interface RulesRead {
  readonly rules: readonly CustomRule[];
  readonly problems: readonly ExpectedError[];
}

/** The same, for where work has to go on without the rules that cannot be used. */
export function readRules(settings: readonly RuleSetting[]): RulesRead {
  const rules: CustomRule[] = [];
  const problems: ExpectedError[] = [];
  for (const [index, setting] of settings.slice(0, MAX_RULES).entries()) {
    const read = ruleSchema.safeParse(setting);
    if (!read.success) {
      problems.push(notARule(index + 1));
      continue;
    }
    const { name, pattern, kind } = read.data;
    const compiled = compile(name, pattern);
    if (compiled instanceof RegExp) rules.push({ kind: kindOf(kind ?? name), pattern: compiled });
    else problems.push(compiled);
  }
  if (settings.length > MAX_RULES) problems.push(tooMany(settings.length));
  return { rules, problems };
}

const notARule = (number: number): ExpectedError =>
  new ExpectedError('badRule', 'The redaction rule number {0} is not written right.', [number], {
    next: 'Give it a name of at most 64 and a pattern of at most 1000 characters.',
  });

const tooMany = (count: number): ExpectedError =>
  new ExpectedError('badRule', 'There are {0} redaction rules; at most {1} can be used.', [
    count,
    MAX_RULES,
  ]);

/** What stands in `[REDACTED:kind#n]`, so without signs that end it. */
const kindOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'custom';

function compile(name: string, source: string): RegExp | ExpectedError {
  // As other scanners' rules are written.
  const isAnyCase = source.startsWith('(?i)');
  const pattern = isAnyCase ? source.slice(4) : source;
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern, isAnyCase ? 'giu' : 'gu');
  } catch (error) {
    return new ExpectedError(
      'badRule',
      'The redaction rule “{0}” is no regular expression.',
      [name],
      {
        cause: error,
        next: 'Write it as JavaScript does, with \\ before each sign that stands for itself.',
      },
    );
  }
  if (new RegExp(compiled.source, compiled.flags).test('')) {
    return new ExpectedError(
      'badRule',
      'The redaction rule “{0}” also matches nothing at all.',
      [name],
      {
        next: 'Ask for at least one character, as with + in place of *.',
      },
    );
  }
  const part = whySlow(pattern);
  if (part !== undefined) {
    return new ExpectedError(
      'badRule',
      'The redaction rule “{0}” could take time without end, because of “{1}”.',
      [name, part],
      { next: 'Give repetitions an upper limit, such as {1,64}, and do not repeat what repeats.' },
    );
  }
  return compiled;
}
