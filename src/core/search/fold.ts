/** Text as it is compared: without case and accents, wide forms made usual ones. */
export interface Folded {
  readonly text: string;
  /** Index in the text as it was, for an index in the folded one. */
  readonly at: (index: number) => number;
}

const identity = (index: number): number => index;
const ascii = /^[\0-\x7f]*$/;
const beyondAscii = /[^\0-\x7f]+/g;
/** A character with the marks on it, narrow katakana's too; Korean letters that make one syllable come as a run. */
const clusters = /[\u1100-\u11ff]+|\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gu;

/**
 * Folds a text. Marks of Latin, Greek and Cyrillic letters go (é is e); those that make another letter, as the
 * Japanese voiced ones, stay. Compatibility forms become usual ones (Unicode TR15: NFKD, then NFC).
 */
export function fold(text: string): Folded {
  if (ascii.test(text)) return { text: text.toLowerCase(), at: identity };
  const shifts = new Shifts();
  let folded = '';
  let end = 0;
  for (const run of text.matchAll(beyondAscii)) {
    folded += text.slice(end, run.index).toLowerCase();
    for (const found of run[0].matchAll(clusters)) {
      const [character] = found;
      const piece = foldCluster(character);
      folded += piece;
      const after = run.index + found.index + character.length;
      if (piece.length !== character.length) shifts.add(folded.length, after);
    }
    end = run.index + run[0].length;
  }
  folded += text.slice(end).toLowerCase();
  return { text: folded, at: (index) => shifts.at(index) };
}

/** Places from which on indexes of the folded text and of the original one lie another way apart. */
class Shifts {
  private readonly folded: number[] = [0];
  private readonly original: number[] = [0];

  add(folded: number, original: number): void {
    this.folded.push(folded);
    this.original.push(original);
  }

  at(index: number): number {
    let low = 0;
    let high = this.folded.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.folded[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const moved = index - (this.folded[low] ?? 0) + (this.original[low] ?? 0);
    // Inside a character that became longer, all that is known is that the next one begins later.
    const next = this.original[low + 1];
    return next === undefined ? moved : Math.min(moved, next - 1);
  }
}

const known = new Map<string, string>();
const KNOWN = 20_000;

function foldCluster(character: string): string {
  let folded = known.get(character);
  if (folded === undefined) {
    folded = character
      .normalize('NFKD')
      .replace(/[\u0300-\u036f\ufe00-\ufe0f]/g, '')
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('ς', 'σ');
    // Some characters stand for a space with something on it, and some signs for letters: words end there.
    const isOther = (kind: RegExp): boolean => kind.test(folded ?? '') && !kind.test(character);
    if (isOther(/\s/) || isOther(/[\p{L}\p{N}]/u)) folded = character.toLowerCase();
    if (known.size < KNOWN) known.set(character, folded);
  }
  return folded;
}
