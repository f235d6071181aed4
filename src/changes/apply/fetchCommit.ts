import { ExpectedError } from '../../core/errors.js';
import { complaintOf, gitText, runGit, type GitOptions } from '../git.js';
import { withoutCredentials } from '../remote.js';
import { hasCommit, isCommit } from './match.js';

export interface OwnRemote {
  readonly name: string;
  /** Without credentials. */
  readonly url: string;
}

/**
 * The remote of a repository here that leads to the same place as an address out of a session; only such a
 * one is ever spoken to.
 */
export async function ownRemote(
  root: string,
  address: string | undefined,
  nameOf: (remote: string) => string | undefined,
  git: GitOptions,
): Promise<OwnRemote | undefined> {
  const wanted = address === undefined ? undefined : (nameOf(address) ?? address);
  const { stdout } = await runGit(
    root,
    ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'],
    git,
  );
  for (const entry of stdout.toString('utf8').split('\0')) {
    const [key = '', url = ''] = entry.split('\n');
    const name = /^remote\.([A-Za-z0-9][\w./-]*)\.url$/.exec(key)?.[1];
    const shown = withoutCredentials(url);
    if (name === undefined || shown === undefined || wanted === undefined) continue;
    if ((nameOf(url) ?? shown) === wanted) return { name, url: shown };
  }
  return undefined;
}

/**
 * Fetches one commit from an own remote: by itself, or with its branch where the server gives no single
 * commits. No branch, tag or FETCH_HEAD moves; no password is asked for.
 *
 * @throws ExpectedError `fetchFailed`
 */
export async function fetchCommit(
  root: string,
  { remote, commit, branch }: { remote: string; commit: string; branch?: string | undefined },
  git: GitOptions,
): Promise<void> {
  if (!isCommit(commit)) throw new ExpectedError('fetchFailed', '{0} is no commit.', [commit]);
  const isOwn = (await gitText(root, ['config', '--get', 'core.sshCommand'], git)) !== undefined;
  const quiet = isOwn ? [] : ['-c', 'core.sshCommand=ssh -oBatchMode=yes'];
  const options = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--refmap=',
  ];
  const isBranch =
    branch !== undefined &&
    (await gitText(root, ['check-ref-format', `refs/heads/${branch}`], git)) !== undefined;
  let complaint = '';
  for (const what of [commit, ...(isBranch ? [`refs/heads/${branch}`] : [])]) {
    const args = [...quiet, 'fetch', ...options, '--', remote, what];
    const result = await runGit(root, args, { ...git, network: true, timeoutMs: 600_000 });
    if (await hasCommit(root, commit, git)) return;
    complaint = result.code === 0 ? 'the remote does not have it' : complaintOf(result);
  }
  throw new ExpectedError(
    'fetchFailed',
    'Commit {0} could not be fetched from {1}: {2}',
    [commit.slice(0, 12), remote, complaint],
    { next: 'Fetch it yourself, or ask the sender to push it.' },
  );
}
