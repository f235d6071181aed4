import { mayHoldSecrets, redactText } from './redact.js';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Signed or encrypted for the agent's vendor: an edit would only break them. */
const SEALED = new Set(['signature', 'encrypted_content', 'reasoningOpaque', 'redacted_thinking']);

/**
 * One record of an agent's transcript with secrets of known kinds masked (promise 6); the very same
 * bytes when there are none. Decoded strings are looked at, since an escaped line hides what begins
 * behind a `\n`; a record that is not JSON is looked at as text.
 */
export function redactRecord(record: Uint8Array): Uint8Array {
  const text = decoder.decode(record);
  if (!mayHoldSecrets(text)) return record;
  const value = parse(text);
  if (value === undefined) return encodeIfChanged(record, text, redactText(text));
  const redacted = redactValue(value);
  return redacted === value ? record : encoder.encode(JSON.stringify(redacted));
}

/** The same value when nothing in it changed, so that untouched records keep their bytes. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactString(value);
  if (Array.isArray(value)) {
    const before: readonly unknown[] = value;
    const items = before.map(redactValue);
    return items.some((item, index) => item !== before[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const before: readonly [string, unknown][] = Object.entries(value);
  const entries = before.map(([key, item]): [string, unknown] => [
    redactText(key),
    SEALED.has(key) ? item : redactValue(item),
  ]);
  const changed = entries.some(
    ([key, item], index) => key !== before[index]?.[0] || item !== before[index][1],
  );
  return changed ? Object.fromEntries(entries) : value;
}

/** Tool arguments and results are often JSON inside a string. */
function redactString(text: string): string {
  if (!mayHoldSecrets(text)) return text;
  const inner = text.startsWith('{') || text.startsWith('[') ? parse(text) : undefined;
  if (inner === undefined) return redactText(text);
  const redacted = redactValue(inner);
  return redacted === inner ? redactText(text) : JSON.stringify(redacted);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const encodeIfChanged = (record: Uint8Array, before: string, now: string): Uint8Array =>
  now === before ? record : encoder.encode(now);
