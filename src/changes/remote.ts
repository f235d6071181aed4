import type { GitOptions } from './git.js';
import { runGit } from './git.js';

/** The address of `origin`, or else of the first remote, as configured, without credentials. */
export async function readRemote(root: string, options: GitOptions): Promise<string | undefined> {
  // Not `git remote get-url`: that applies `insteadOf` rules, which may put a token in.
  const result = await runGit(
    root,
    ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'],
    options,
  );
  const entries = result.stdout
    .toString('utf8')
    .split('\0')
    .map((entry) => entry.split('\n'))
    .filter((entry) => entry.length === 2);
  const origin = entries.find(([name]) => name === 'remote.origin.url');
  const url = (origin ?? entries[0])?.[1];
  return url === undefined ? undefined : withoutCredentials(url);
}

/**
 * An address fit to be shown and shared: without user name, password, query and fragment. The short
 * form of ssh (`git@host:path`) has no place for a password and stays. `undefined` where it cannot be
 * told what is a credential.
 */
export function withoutCredentials(url: string): string | undefined {
  const parts = /^(.*?:\/\/)([^/?#]*)([^?#]*)/.exec(url);
  if (parts === null) return url;
  const [, scheme = '', authority = '', path = ''] = parts;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // An unescaped slash in a password moves the rest of it into the path.
  const wellFormed = /^(\[[^\]]*\]|[^:[\]]*)(:\d*)?$/.test(host);
  return wellFormed ? scheme + host + path : undefined;
}
