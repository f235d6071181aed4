import { fold } from '../../core/search/fold.js';
import { roleOf } from '../../core/search/filters.js';
import type { SearchRow } from '../../core/search/rows.js';

/*
 * Filters have terms too, so that `tool:bash` or `file:src/x.ts` need not look at every row. They begin with a sign
 * that no word has.
 */
export const toolPrefix = '=tool:';
const only = (text: string): string => fold(text).text.replace(/[^\p{L}\p{N}._-]/gu, '');

export const roleTerm = (role: string): string => `=role:${role}`;

/** A term for each folder of a path and for its file. */
export const fileTerms = (path: string): string[] =>
  path
    .split(/[\\/]/)
    .map(only)
    .filter((name) => name !== '')
    .map((name) => `=file:${name}`);

export function addFilterTerms(row: SearchRow, terms: Set<string>): void {
  terms.add(roleTerm(row.role));
  terms.add(roleTerm(roleOf(row)));
  if (row.tool !== undefined) terms.add(toolPrefix + only(row.tool));
  for (const file of row.files ?? []) for (const term of fileTerms(file)) terms.add(term);
}
