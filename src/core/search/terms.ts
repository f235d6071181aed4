import { fold } from './fold.js';
import { partsOf, scriptRuns, wordRuns } from './words.js';

/*
 * The terms that a text is found by. They only narrow down where to look: whether a text holds what was asked for
 * is decided by the text itself (see needle.ts). So an identifier with separators (`user_service`, `a.b`) is found
 * by its parts, without a term of its own, which would miss it inside `my.user_service.ts`. Parts that `_` joins
 * have a term for each pair: the parts of many such names are common, and which ones are neighbours is not.
 */

/** A longer run, or one of more parts, is no word but a hash or an encoding: found by how it begins. */
export const LONGEST_WORD = 64;
export const MOST_PARTS = 16;
export const OPAQUE_LENGTH = 40;

/** Words that are one part whatever their case, as nearly all are. */
const onePart = /^(?:[A-Za-z]?[a-z]*|[A-Z]+|[0-9]+)$/;

/** Names whose parts `_` joins. */
export const joinedNames = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:_[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)+/gu;

/** A term for each `_` in such a name: the parts on both its sides. */
export function pairsOf(name: string): string[] {
  const runs = name.split('_');
  return runs.slice(1).map((right, at) => {
    const [before = ''] = partsOf((runs[at] ?? '').slice(-LONGEST_WORD)).slice(-1);
    const [after = ''] = partsOf(right.slice(0, LONGEST_WORD));
    return `${fold(before).text.slice(-OPAQUE_LENGTH)}_${fold(after).text.slice(0, OPAQUE_LENGTH)}`;
  });
}

/** Adds the terms of a text to a set. */
export function addTerms(text: string, terms: Set<string>): void {
  if (text.includes('_')) {
    for (const [name] of text.matchAll(joinedNames)) {
      for (const pair of pairsOf(name)) terms.add(pair);
    }
  }
  for (const [word] of text.matchAll(wordRuns)) {
    if (word.length <= LONGEST_WORD && onePart.test(word)) terms.add(word.toLowerCase());
    else addWord(word, terms);
  }
}

function addWord(word: string, terms: Set<string>): void {
  for (const run of scriptRuns(word)) {
    if (run.dense) addPairs(run.text, terms);
    else addRun(run.text, terms);
  }
}

function addRun(run: string, terms: Set<string>): void {
  const whole = fold(run).text;
  if (whole === '') return;
  const parts = run.length > LONGEST_WORD ? [] : partsOf(run);
  if (parts.length === 0 || parts.length > MOST_PARTS) {
    terms.add(whole.slice(0, OPAQUE_LENGTH));
    return;
  }
  terms.add(whole);
  if (parts.length > 1) for (const part of parts) terms.add(fold(part).text);
}

/** Two neighbours each, and the last alone: one character is then the beginning of a term wherever it stands. */
function addPairs(run: string, terms: Set<string>): void {
  const characters = Array.from(fold(run).text);
  for (const [at, character] of characters.entries()) {
    terms.add(character + (characters[at + 1] ?? ''));
  }
}
