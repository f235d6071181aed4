import type { CountTokens } from '../convert/window.js';
import { cut } from '../thread/text.js';

export interface Section {
  readonly title: string;
  readonly items: readonly string[];
  /** Which items stay when not all fit. */
  readonly keep: 'first' | 'last';
  /** Part of the room that it may take at most, 0 to 1. */
  readonly share: number;
  /** The lowest is filled first. */
  readonly rank: number;
  /** Part of the room that is kept for it while others are filled. */
  readonly least?: number;
}

/** Sections as Markdown within so many tokens. `left` counts the items that found no room. */
export function fill(
  sections: readonly Section[],
  room: number,
  count: CountTokens,
): { readonly text: string; readonly left: number } {
  const filled = new Map<Section, string>();
  let reserved =
    sections.reduce((sum, { items, least = 0 }) => sum + (items.length > 0 ? least : 0), 0) * room;
  let free = room;
  let left = 0;
  for (const section of [...sections].sort((a, b) => a.rank - b.rank)) {
    if (section.items.length === 0) continue;
    reserved -= (section.least ?? 0) * room;
    const most = Math.min(section.share * room, free - reserved);
    const result = fillOne(section, most, count);
    left += result.left;
    if (result.text === '') continue;
    filled.set(section, result.text);
    free -= count(result.text) + 2;
  }
  const text = sections.flatMap((section) => filled.get(section) ?? []).join('\n\n');
  return { text, left };
}

function fillOne(
  { title, items, keep }: Section,
  most: number,
  count: CountTokens,
): { readonly text: string; readonly left: number } {
  const head = `## ${title}`;
  // Room for the heading and for the line that says how many are missing.
  let free = most - count(head) - 12;
  const taken: string[] = [];
  const ordered = keep === 'first' ? items : [...items].reverse();
  for (const item of ordered) {
    const tokens = count(item) + 2;
    if (tokens > free) {
      const piece = taken.length === 0 ? cutTo(item, free, count) : '';
      if (piece !== '') taken.push(piece);
      break;
    }
    taken.push(item);
    free -= tokens;
  }
  const left = items.length - taken.length;
  if (taken.length === 0) return { text: '', left };
  const kept = keep === 'first' ? taken : taken.reverse();
  const note = left === 0 ? [] : [`(${left} ${keep === 'first' ? 'more' : 'earlier'})`];
  const gap = kept.some((item) => item.includes('\n')) ? '\n\n' : '\n';
  const lines = keep === 'first' ? [...kept, ...note] : [...note, ...kept];
  return { text: `${head}\n${lines.join(gap)}`, left };
}

/** The beginning of an item, or nothing where not even a few words fit. */
function cutTo(item: string, tokens: number, count: CountTokens): string {
  if (tokens < 20) return '';
  let low = 0;
  // No token is longer than this many characters but for runs of spaces.
  let high = Math.min(item.length, Math.ceil(tokens * 8));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(cut(item, middle).kept) <= tokens - 2) low = middle;
    else high = middle - 1;
  }
  return `${cut(item, low).kept.trimEnd()}…`;
}
