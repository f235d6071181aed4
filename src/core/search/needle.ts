import type { Folded } from './fold.js';
import { fold } from './fold.js';
import { joinedNames, LONGEST_WORD, MOST_PARTS, OPAQUE_LENGTH, pairsOf } from './terms.js';
import { isBoundary, partsOf, scriptRuns, wordRuns } from './words.js';

/** Where a needle may be, told by terms (see terms.ts). `everywhere`: terms do not say. */
export type Lookup =
  | { readonly term: string }
  | { readonly prefix: string }
  | { readonly all: readonly Lookup[] }
  | { readonly any: readonly Lookup[] }
  | 'everywhere';

/** Something to be found in a text: a word, an identifier, a phrase, some characters of Chinese. */
export interface Needle {
  /** Folded, cut at white space. Between two pieces may be anything but letters and digits. */
  readonly pieces: readonly string[];
  /** It may go on where it ends: `word*`, or a word that is still being typed. */
  readonly open: boolean;
  readonly lookup: Lookup;
}

export interface Range {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

/** Undefined when there is nothing in it to be found. */
export function needleOf(text: string, open: boolean): Needle | undefined {
  const pieces = fold(text)
    .text.split(/\s+/)
    .filter((piece) => piece !== '');
  return pieces.length === 0 ? undefined : { pieces, open, lookup: lookupOf(text, open) };
}

/** So much may be between two words of a phrase, in characters. */
const LARGEST_GAP = 100;
const isWordCharacter = /[\p{L}\p{N}]/u;

/** The first place of a needle from an index on; both are indexes of the folded text. */
function findFolded(
  original: string,
  folded: Folded,
  { pieces }: Needle,
  from: number,
): Range | undefined {
  const { text } = folded;
  const [first = '', ...others] = pieces;
  for (let start = text.indexOf(first, from); start >= 0; start = text.indexOf(first, start + 1)) {
    let end: number | undefined = start + first.length;
    for (const piece of others) {
      end = endOfNext(original, folded, piece, end);
      if (end === undefined) break;
    }
    if (end !== undefined) return { start, end };
  }
  return undefined;
}

/** Where a piece ends that follows another one, with at most a gap between them. */
function endOfNext(
  original: string,
  folded: Folded,
  piece: string,
  after: number,
): number | undefined {
  const isWord = (index: number): boolean => isWordCharacter.test(original.charAt(index));
  const last = Math.min(folded.text.length, after + LARGEST_GAP);
  for (let at = after; at < last; at++) {
    const index = folded.at(at);
    const isApart = at > after || !isWord(index - 1) || !isWord(index);
    if (isApart && folded.text.startsWith(piece, at)) return at + piece.length;
    if (isWord(index)) return undefined;
  }
  return undefined;
}

/**
 * Places of a needle in a text, in order, none overlapping, at most `most`. It begins and ends where words or parts
 * of identifiers do.
 */
export function findNeedle(text: string, folded: Folded, needle: Needle, most: number): Range[] {
  const found: Range[] = [];
  for (let from = 0; found.length < most;) {
    const place = findFolded(text, folded, needle, from);
    if (!place) break;
    const start = folded.at(place.start);
    const range = { start, end: Math.max(start + 1, folded.at(place.end)) };
    const isWhole = isBoundary(text, range.start) && (needle.open || isBoundary(text, range.end));
    if (isWhole) found.push(range);
    from = isWhole ? place.end : place.start + 1;
  }
  return found;
}

function lookupOf(text: string, open: boolean): Lookup {
  const runs = [...text.matchAll(wordRuns)];
  const all = runs.flatMap((run) => {
    const isLast = run.index + run[0].length === text.length;
    const scripts = [...scriptRuns(run[0])];
    return scripts.map((script, at) => {
      const isOpen = open && isLast && at === scripts.length - 1;
      return script.dense ? lookupOfDense(script.text) : lookupOfRun(script.text, isOpen);
    });
  });
  const telling = [...all, ...pairLookups(text, open)].filter((lookup) => lookup !== 'everywhere');
  return telling.length === 0 ? 'everywhere' : { all: telling };
}

function pairLookups(text: string, open: boolean): readonly Lookup[] {
  return [...text.matchAll(joinedNames)].flatMap((found) => {
    const isLast = found.index + found[0].length === text.length;
    const pairs = pairsOf(found[0]);
    // The last part may go on.
    return pairs.map((pair, at) =>
      open && isLast && at === pairs.length - 1 ? { prefix: pair } : { term: pair },
    );
  });
}

function lookupOfRun(run: string, open: boolean): Lookup {
  const whole = fold(run).text;
  if (whole === '') return 'everywhere';
  const parts = run.length > LONGEST_WORD ? [] : partsOf(run);
  const isOpaque = parts.length === 0 || parts.length > MOST_PARTS;
  const wholeTerm = single(whole.slice(0, OPAQUE_LENGTH), open && whole.length < OPAQUE_LENGTH);
  if (isOpaque || parts.length === 1) return isOpaque ? wholeTerm : single(whole, open);
  const last = parts.length - 1;
  const all = parts.map((part, at) => single(fold(part).text, open && at === last));
  return { any: [single(whole, open), { all: all.filter((part) => part !== 'everywhere') }] };
}

/** The beginning of one letter is nearly everywhere. */
const single = (term: string, open: boolean): Lookup => {
  if (!open) return { term };
  if (term.length < 2) return 'everywhere';
  if (term.length <= OPAQUE_LENGTH) return { prefix: term };
  // What goes on longer may be known by its beginning only.
  return { any: [{ prefix: term }, { term: term.slice(0, OPAQUE_LENGTH) }] };
};

function lookupOfDense(run: string): Lookup {
  const characters = Array.from(fold(run).text);
  const [first = ''] = characters;
  if (characters.length < 2) return { prefix: first };
  return { all: characters.slice(1).map((next, at) => ({ term: `${characters[at]}${next}` })) };
}
