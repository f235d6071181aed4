import { writeFile } from 'node:fs/promises';
import type { Side } from '../../core/apply/decide.js';
import type { Bench } from './bench.js';

/** The hash of the merged content in the bench, or why there is none. */
export type Merged =
  | { readonly content: string }
  | {
      readonly conflict: 'bothChanged';
      /** Both versions in one, with git's conflict markers. */
      readonly marked: string;
    }
  | { readonly conflict: 'binary' };

export interface Versions {
  /** Absent: both added it. */
  readonly base?: Side | undefined;
  readonly ours: Side;
  readonly theirs: Side;
  /** `theirs` is as a working tree has it, not as git stores it. */
  readonly isRaw?: boolean | undefined;
}

/** Merges the contents of two versions as git would. */
export async function mergeContents(
  bench: Bench,
  path: string,
  { base, ours, theirs, isRaw = false }: Versions,
): Promise<Merged> {
  const { merge, ...conversions } = await attributesOf(bench, path);
  const isConverted = Object.values(conversions).some((value) => value !== 'unspecified');
  // `unset` is what a file marked as binary has.
  if (merge === 'unset' || (isRaw && isConverted)) return { conflict: 'binary' };
  const files: string[] = [];
  for (const [name, side] of Object.entries({ ours, base, theirs })) {
    const file = bench.path(`merge-${name}`);
    const bytes = side && (await bench.run(['cat-file', 'blob', side.content]));
    await writeFile(file, bytes ?? '');
    files.push(file);
  }
  const names = ['here', 'before both', 'from the session'].flatMap((name) => ['-L', name]);
  const args = ['merge-file', '-p', '-q', '--diff3', ...names, ...files];
  const { code, stdout } = await bench.try(args);
  // Exit codes: the number of conflicts, at most 127; 255 for what is no text.
  if (code > 127 || code < 0) return { conflict: 'binary' };
  const content = await storeBlob(bench, stdout);
  return code > 0 ? { conflict: 'bothChanged', marked: content } : { content };
}

/** Puts bytes into the bench as they are; answers with git's name for them. */
export async function storeBlob(bench: Bench, input: Uint8Array): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', '--no-filters'];
  return (await bench.run(args, { input })).toString('utf8').trim();
}

async function attributesOf(bench: Bench, path: string): Promise<Readonly<Record<string, string>>> {
  const names = ['merge', 'filter', 'ident', 'working-tree-encoding'];
  const output = await bench.run(['check-attr', '-z', ...names, '--', path]);
  const fields = output.toString('utf8').split('\0');
  return Object.fromEntries(names.map((name, at) => [name, fields[at * 3 + 2] ?? 'unspecified']));
}
