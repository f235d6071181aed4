import { writeFile } from 'node:fs/promises';
import type { Side } from '../../core/apply/decide.js';
import type { Bench } from './bench.js';

/** The hash of the merged content in the bench, or why there is none. */
export type Merged = { readonly content: string } | { readonly conflict: 'bothChanged' | 'binary' };

/**
 * Merges the contents of two versions as git would, without its markers: where both changed the same lines
 * there is no result.
 */
export async function mergeContents(
  bench: Bench,
  path: string,
  { base, ours, theirs }: { readonly base: Side; readonly ours: Side; readonly theirs: Side },
): Promise<Merged> {
  const attribute = await bench.run(['check-attr', '-z', 'merge', '--', path]);
  // `unset` is what a file marked as binary has.
  if (attribute.toString('utf8').split('\0')[2] === 'unset') return { conflict: 'binary' };
  const files: string[] = [];
  for (const [name, { content }] of Object.entries({ ours, base, theirs })) {
    const file = bench.path(`merge-${name}`);
    await writeFile(file, await bench.run(['cat-file', 'blob', content]));
    files.push(file);
  }
  const { code, stdout } = await bench.try(['merge-file', '-p', '-q', ...files]);
  // Exit codes: the number of conflicts, at most 127; 255 for what is no text.
  if (code > 127 || code < 0) return { conflict: 'binary' };
  if (code > 0) return { conflict: 'bothChanged' };
  const args = ['hash-object', '-w', '--stdin', '--no-filters'];
  return { content: (await bench.run(args, { input: stdout })).toString('utf8').trim() };
}
