import { vendorRules, type SecretRule } from './vendorRules.js';

export interface Finding {
  readonly kind: string;
  /** Offsets of the secret in the given text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** One pass over the text tells the few that are worth a closer look. */
const hints = new RegExp([...new Set(vendorRules.map((rule) => rule.hint))].join('|'));

/** Whether a text can hold a secret of a known shape at all; far cheaper than {@link findSecrets}. */
export const mayHoldSecrets = (text: string): boolean => hints.test(text);

/** Secrets of vendors' known shapes, in order, not overlapping. */
export function findSecrets(text: string): readonly Finding[] {
  const found = vendorRules.flatMap((rule) => matches(text, rule));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Finding[] = [];
  for (const finding of found) {
    if (finding.start >= (kept.at(-1)?.end ?? 0)) kept.push(finding);
  }
  return kept;
}

/**
 * The text with each secret replaced by `[REDACTED:kind]`; the same text when there is none. Best
 * effort: what has no known shape stays.
 */
export function redactText(text: string): string {
  if (!mayHoldSecrets(text)) return text;
  let redacted = '';
  let from = 0;
  for (const { kind, start, end } of findSecrets(text)) {
    redacted += `${text.slice(from, start)}[REDACTED:${kind}]`;
    from = end;
  }
  return redacted + text.slice(from);
}

function matches(text: string, rule: SecretRule): readonly Finding[] {
  return [...text.matchAll(rule.pattern)].map((match) => {
    const secret = match[1] ?? match[0];
    const start = match.index + match[0].indexOf(secret);
    return { kind: rule.kind, start, end: start + secret.length };
  });
}
