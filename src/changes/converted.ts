import type { ChangedFile } from '../core/model/changes.js';
import type { GitRunOptions } from './git.js';
import { runGit } from './git.js';
import type { KeepLimits } from './untracked.js';
import { pathBelow, readWholeFile } from './wholeFile.js';

export interface ConvertedFiles {
  /** SHA-256 (hex) of the whole working file, by path. */
  readonly contents: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/**
 * Keeps the changed files whose bytes a patch does not give back, because git converts between the
 * working tree and what it stores: line endings, filters such as Git LFS, encodings, `$Id$`. A patch
 * holds the stored form only.
 */
export async function keepConverted(
  root: string,
  files: readonly ChangedFile[],
  git: GitRunOptions,
  limits: KeepLimits,
): Promise<ConvertedFiles> {
  const contents = new Map<string, string>();
  const problems: string[] = [];
  if (files.length === 0) return { contents, problems };
  const endings = await readLineEndings(root, git);
  for (const [path, attributes] of await readAttributes(root, files, git)) {
    const conversion = conversionOf(attributes, endings);
    if (conversion === 'none') continue;
    const bytes = await readWholeFile(pathBelow(root, Buffer.from(path)), limits.maxFileBytes);
    if (bytes === 'gone' || bytes === 'notAFile') continue; // a link or submodule is not converted
    if (typeof bytes === 'string' || contents.size >= limits.maxFiles) {
      problems.push(`${path} is kept only in the form that git stores.`);
    } else if (conversion === 'always' || bytes.includes(carriageReturn)) {
      contents.set(path, await limits.putBlob(bytes));
    }
  }
  return { contents, problems };
}

const carriageReturn = 0x0d;

/** `whenCr`: only a file that holds a carriage return comes back different. */
export type Conversion = 'none' | 'whenCr' | 'always';

export interface LineEndings {
  readonly autocrlf: string;
  readonly eol: string;
}

/** Rules: https://git-scm.com/docs/gitattributes#_checking_out_and_checking_in */
export function conversionOf(
  attributes: Readonly<Record<string, string>>,
  { autocrlf, eol }: LineEndings,
): Conversion {
  const value = (name: string): string | undefined => {
    const given = attributes[name];
    return given === 'unspecified' || given === 'unset' ? undefined : given;
  };
  if (['filter', 'ident', 'working-tree-encoding'].some((name) => value(name) !== undefined)) {
    return 'always';
  }
  if (attributes['text'] === 'unset') return 'none';
  const isText = value('text') ?? value('eol') ?? value('crlf'); // `crlf` is the old name of `text`
  if (isText === undefined && autocrlf === 'false') return 'none';
  if (value('eol') !== undefined) return value('eol') === 'crlf' ? 'always' : 'whenCr';
  const written = autocrlf === 'true' ? 'crlf' : autocrlf === 'input' ? 'lf' : eol;
  return written === 'crlf' ? 'always' : 'whenCr';
}

async function readLineEndings(root: string, git: GitRunOptions): Promise<LineEndings> {
  const args = ['config', '-z', '--get-regexp', '^core\\.(autocrlf|eol)$'];
  const { stdout } = await runGit(root, args, git);
  // A name without a value means true; the last entry of a name wins.
  const values = new Map(
    stdout
      .toString('utf8')
      .split('\0')
      .map((entry): [string, string] => {
        const [name = '', value = 'true'] = entry.toLowerCase().split('\n');
        return [name, value];
      }),
  );
  const eol = values.get('core.eol') ?? 'native';
  return {
    autocrlf: canonical(values.get('core.autocrlf') ?? 'false'),
    eol: eol !== 'native' ? eol : process.platform === 'win32' ? 'crlf' : 'lf',
  };
}

function canonical(autocrlf: string): string {
  if (autocrlf === 'input') return 'input';
  return ['false', 'no', 'off', '0', ''].includes(autocrlf) ? 'false' : 'true';
}

async function readAttributes(
  root: string,
  files: readonly ChangedFile[],
  git: GitRunOptions,
): Promise<ReadonlyMap<string, Record<string, string>>> {
  const names = ['filter', 'ident', 'working-tree-encoding', 'text', 'eol', 'crlf'];
  const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(''));
  const { stdout } = await runGit(root, ['check-attr', '-z', '--stdin', ...names], {
    ...git,
    input,
  });
  const fields = stdout.toString('utf8').split('\0');
  const found = new Map<string, Record<string, string>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3);
    found.set(path, { ...found.get(path), [name]: value });
  }
  return found;
}
