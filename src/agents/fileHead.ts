import { isFields, type Fields } from './json.js';

/**
 * The records at the beginning of a file, to tell whose it is by: its first lines that are objects.
 * Of one that the head cuts off, and of a file that is one object over many lines, the outermost
 * members are taken as far as they go, without what is inside objects and lists.
 */
export function headRecords(head: string): readonly Fields[] {
  const text = head.replace(/^\uFEFF/, '');
  const lines = text.split('\n').slice(0, mostLines);
  const records = lines.map(parsed).filter(isFields);
  const last = lines.at(-1) ?? '';
  const isCut = lines.length < mostLines && parsed(last) === undefined;
  if (records.length === 0) return [outermost(text)];
  return isCut ? [...records, outermost(last)] : records;
}

const mostLines = 40;

/** The outermost members of an object whose end may be missing; what they hold is left out. */
function outermost(text: string): Fields {
  const members: Record<string, unknown> = {};
  let depth = 0;
  let key: string | undefined;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth === 2 && key !== undefined) members[key] = token === '{' ? {} : [];
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth === 0) break;
    } else if (depth === 1 && token.endsWith(':')) key = String(parsed(token.replace(/\s*:$/, '')));
    else if (depth === 1 && key !== undefined) members[key] = parsed(token);
    else if (depth === 0) break;
  }
  return members;
}

/** Brackets, keys with their colon, texts, and other values. */
const tokens = /[{}[\]]|"(?:[^"\\]|\\.)*"(?:\s*:)?|[^\s{}[\],":]+/g;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
