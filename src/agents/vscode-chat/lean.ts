import { isFields } from '../json.js';
import type { Fields } from '../json.js';

/** Longer texts are cut: counts and titles need no more of them. */
const keptCharacters = 4096;
/** Large, and of no use when only counts are asked for. */
const dropped = new Set(['renderedUserMessage', 'renderedGlobalContext', 'codeBlocks', 'edits']);

/**
 * A copy of a record without the bulk of its texts, for a fold that will only be asked for counts:
 * every list keeps its length and every tool call its id, so that later edits still find their place.
 */
export function lean(record: Fields): Fields {
  return copy(record);
}

function copy(fields: Fields): Fields {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (key === '__proto__' || dropped.has(key)) continue;
    // What a person typed, which very old files keep as plain text, is told in full.
    kept[key] = key === 'message' ? value : leanValue(value, key);
  }
  return kept;
}

function leanValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') return value.slice(0, keptCharacters);
  if (Array.isArray(value)) return value.map((item) => leanValue(item, key));
  if (!isFields(value)) return value;
  if (key === 'toolCallResults') {
    return Object.fromEntries(Object.keys(value).map((id) => [id, {}]));
  }
  return copy(value);
}
