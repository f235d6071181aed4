/** Hold what is signed or encrypted for an agent's vendor, and nothing else. */
const sealedKeys = new Set([
  'encrypted_content',
  'encryptedContent',
  'reasoningOpaque',
  'reasoning_opaque',
  'redacted_thinking',
  'RedactedThinking',
  'thoughtSignature',
  'thought_signature',
]);
/** Of these, other things go by the same name: `signature` of a function. */
const sometimesSealed = new Set(['signature', 'data']);

const MIN_SIGNATURE = 64;

/** Whether a member of this name can be a sealed blob at all. */
export const maySeal = (key: string): boolean => sealedKeys.has(key) || sometimesSealed.has(key);

/**
 * Whether a member of an agent's record is a blob that only its vendor can read: an edit would break it,
 * and nobody can tell what it holds.
 */
export function isSealed(
  key: string,
  value: unknown,
  siblings: readonly (readonly [string, unknown])[],
): boolean {
  const isAlways = sealedKeys.has(key);
  if (!isAlways && !sometimesSealed.has(key)) return false;
  if (typeof value !== 'string' || !/^[\w+/=.:-]+$/.test(value)) return false;
  if (isAlways) return true;
  if (key === 'data') return siblings.some(([name, is]) => name === 'type' && isRedacted(is));
  return value.length >= MIN_SIGNATURE;
}

const isRedacted = (type: unknown): boolean =>
  type === 'redacted_thinking' || type === 'redactedThinking';
