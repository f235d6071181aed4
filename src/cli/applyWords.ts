import { conflictWords, leftWords } from '../core/apply/words.js';
import type { PlannedChange, RepositoryPlan, UndoReport } from '../core/apply/types.js';
import { fill } from '../core/errors.js';
import type { ApplyOutcome } from './apply.js';
import type { ApplyCall } from './applyCommands.js';
import { counted } from './counted.js';
import { plain } from './output.js';
import { shortId } from './table.js';

const english = { t: (text: string, ...args: (string | number)[]): string => fill(text, args) };
const most = 200;

export function describeApply(
  { applied, plan, undo, unresolved }: ApplyOutcome,
  { dryRun = false, staged: isStaged = false }: Pick<ApplyCall, 'dryRun' | 'staged'>,
): string {
  const files = plan.repositories.reduce((sum, { changes }) => sum + changes.length, 0);
  const notDone = {
    ready: `Would change ${counted(files, 'file')}.`,
    nothing: 'There is nothing to apply: no changes, or all of them are here.',
    blocked: 'Nothing was written:',
  }[plan.state];
  const head = !applied
    ? notDone
    : unresolved.length === 0
      ? `Applied the changes of ${counted(files, 'file')}.`
      : `Not done yet: ${counted(unresolved.length, 'file')} of ${files} ${unresolved.length === 1 ? 'has' : 'have'} conflict markers. Choose, and stage with "git add".`;
  return [
    head,
    ...plan.repositories.flatMap((one) => describeRepository(one, isStaged)),
    ...(undo ? [`Undo: keepthread session unapply ${shortId(undo.snapshotId)}`] : []),
    ...(dryRun ? ['Nothing was written.'] : []),
  ].join('\n');
}

function describeRepository(repository: RepositoryPlan, isStaged: boolean): readonly string[] {
  const { name, folder, changes, conflicts, left, isBehind, head, state, notStaged } = repository;
  if (state === 'empty' && isBehind !== true) return [];
  const where = `${plain(name, 60)} -> ${folder === undefined ? 'no folder here' : plain(folder)}`;
  return [
    `${where}${stateWords(repository)}`,
    ...changes.slice(0, most).map((change) => `  ${changeWords(change)}`),
    ...(changes.length > most ? [`  ${changes.length - most} more`] : []),
    ...conflicts.map(
      ({ path, reason, canMerge }) =>
        `  CONFLICT ${plain(path)}: ${conflictWords(reason, english)}${canMerge ? ' (--merge)' : ''}`,
    ),
    ...stagedWords(repository, isStaged),
    ...(isStaged ? notStaged : []).map(
      ({ path, reason }) => `  not staged ${plain(path)}: ${conflictWords(reason, english)}`,
    ),
    ...left.map(({ path, reason }) => `  left out ${plain(path)}: ${leftWords(reason, english)}`),
    ...(isBehind === true
      ? [
          `  What is checked out here does not have commit ${head?.slice(0, 12) ?? ''} in its history.`,
        ]
      : []),
  ];
}

function stagedWords({ staged }: RepositoryPlan, isStaged: boolean): readonly string[] {
  if (staged.length === 0) return [];
  if (isStaged) return staged.slice(0, most).map((change) => `  stage ${changeWords(change)}`);
  return [`  ${counted(staged.length, 'file')} staged there; --staged stages them here too`];
}

function stateWords({ state, head, branch, fetchFrom, remote, problem }: RepositoryPlan): string {
  const commit = `${head?.slice(0, 12) ?? ''}${branch === undefined ? '' : ` of ${plain(branch, 60)}`}`;
  switch (state) {
    case 'noFolder':
      return ': name the folder with --map';
    case 'noCommit':
      return fetchFrom
        ? `: commit ${commit} is not here; --fetch gets it from ${plain(fetchFrom.name, 60)} (${plain(fetchFrom.url)})`
        : `: commit ${commit} is not here; it is from ${plain(remote ?? 'a repository without a remote')}`;
    case 'leftOut':
      return ': left out';
    case 'failed':
      return `: ${plain(problem ?? '', 300)}`;
    default:
      return '';
  }
}

function changeWords({ kind, path, from, there, isSensitive }: PlannedChange): string {
  const note = [
    ...(there === undefined ? [] : [` (in the session ${plain(there)}, which was moved here)`]),
    ...(isSensitive ? [' (programs take commands or settings from it)'] : []),
  ].join('');
  const verb = kind === 'markers' ? 'MERGE BY HAND' : kind;
  return `${verb} ${from === undefined ? '' : `${plain(from)} -> `}${plain(path)}${note}`;
}

export function describeUndo({ restored, same, restaged }: UndoReport): string {
  const already = same.length === 0 ? '' : `; ${same.length} were so already`;
  const index =
    restaged.length === 0 ? '' : `, and what was staged of ${counted(restaged.length, 'file')}`;
  return `Put back ${counted(restored.length, 'file')}${already}${index}.`;
}
