import * as vscode from 'vscode';
import type { ApplyPlan, PlannedChange, RepositoryPlan } from '../../core/apply/types.js';
import { conflictWords, leftWords } from '../../core/apply/words.js';
import { pick, separator } from '../commands/pick.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { joined } from '../views/words.js';

export type PlanChoice =
  | { readonly do: 'skip' | 'sensitive' | 'merge' }
  | { readonly do: 'apply'; readonly staged: boolean }
  /** Leave these paths as they are here. */
  | { readonly do: 'without'; readonly paths: readonly string[] };

interface PlanItem extends vscode.QuickPickItem {
  readonly choice?: PlanChoice;
}

/** Rows of one kind; the rest is counted. */
const most = 300;

/** Shows what would be done to files before any is touched, and asks. Undefined: closed. */
export async function pickPlan(plan: ApplyPlan): Promise<PlanChoice | undefined> {
  const picked = await pick<PlanItem>({
    items: [
      ...choices(plan),
      ...plan.repositories.flatMap((one) => listed(one, plan.repositories.length > 1)),
    ],
    title: vscode.l10n.t('Changes of the session'),
    placeholder:
      plan.state === 'blocked'
        ? vscode.l10n.t('Something stands against it, so nothing can be applied yet')
        : vscode.l10n.t('Nothing is written yet. The list says what would change'),
    isChoice: ({ choice }) => choice !== undefined,
  });
  return picked === 'back' ? undefined : picked?.choice;
}

function choices({ state, repositories }: ApplyPlan): readonly PlanItem[] {
  const count = repositories.reduce((sum, { changes }) => sum + changes.length, 0);
  const staged = repositories.reduce((sum, one) => sum + one.staged.length, 0);
  const conflicts = repositories.flatMap((one) => one.conflicts);
  const mergeable = conflicts.filter(({ canMerge }) => canMerge).length;
  const sensitive = repositories.flatMap((one) =>
    one.left.filter(({ reason }) => reason === 'sensitive'),
  ).length;
  const items: PlanItem[] = state === 'ready' ? [...applying(count, staged)] : [];
  if (mergeable > 0) {
    items.push({
      choice: { do: 'merge' },
      iconPath: new vscode.ThemeIcon('git-merge'),
      label:
        mergeable === 1
          ? vscode.l10n.t('Merge 1 file in the editor')
          : vscode.l10n.t('Merge {0} files in the editor', mergeable),
      description: vscode.l10n.t('both versions are put into it, and you choose'),
    });
  }
  if (conflicts.length > 0 && count > 0) {
    items.push({
      choice: { do: 'without', paths: conflicts.map(({ path }) => path) },
      iconPath: new vscode.ThemeIcon('exclude'),
      label: vscode.l10n.t('Leave the files in conflict as they are'),
      description: vscode.l10n.t('and look at the plan again'),
    });
  }
  if (sensitive > 0) {
    items.push({
      choice: { do: 'sensitive' },
      iconPath: new vscode.ThemeIcon('warning'),
      label: vscode.l10n.t('Include settings and files that are run'),
      description: vscode.l10n.t('only if you trust the sender'),
    });
  }
  items.push({
    choice: { do: 'skip' },
    iconPath: new vscode.ThemeIcon('debug-step-over'),
    label: vscode.l10n.t('Go on without the changes'),
  });
  return items;
}

/** The index moves only where a person chooses that. */
function applying(count: number, staged: number): readonly PlanItem[] {
  const row = (label: string, isStaging: boolean, description: string): PlanItem => ({
    choice: { do: 'apply', staged: isStaging },
    iconPath: new vscode.ThemeIcon('check'),
    label,
    description,
  });
  const kept = vscode.l10n.t('what they hold now is kept, to undo it');
  if (count === 0) return [row(vscode.l10n.t('Stage as in the session'), true, '')];
  if (staged === 0) {
    const label =
      count === 1 ? vscode.l10n.t('Apply to 1 file') : vscode.l10n.t('Apply to {0} files', count);
    return [row(label, false, kept)];
  }
  return [
    row(
      vscode.l10n.t('Apply, and stage as in the session'),
      true,
      vscode.l10n.t('files: {0}, staged: {1}', count, staged),
    ),
    row(vscode.l10n.t('Apply, and stage nothing'), false, kept),
  ];
}

/** Of several repositories each heading names its own. */
function listed(repository: RepositoryPlan, isOneOfMany: boolean): readonly PlanItem[] {
  const { changes, conflicts, left, folder, isBehind, head, state, staged, notStaged } = repository;
  if (state === 'leftOut' || (state === 'empty' && isBehind !== true)) return [];
  const rows = (title: string, items: readonly PlanItem[]): readonly PlanItem[] =>
    items.length === 0
      ? []
      : [
          separator(
            `${isOneOfMany ? `${plain(repository.name, 60)}: ` : ''}${title} (${items.length})`,
          ),
          ...items.slice(0, most),
          ...(items.length > most
            ? [{ label: vscode.l10n.t('{0} more', items.length - most) }]
            : []),
        ];
  const of = (kinds: readonly PlannedChange['kind'][]): readonly PlanItem[] =>
    changes.filter(({ kind }) => kinds.includes(kind)).map(changeItem);
  const note =
    isBehind === true
      ? [
          {
            iconPath: new vscode.ThemeIcon('info'),
            label: vscode.l10n.t(
              'What is checked out here does not have commit {0} in its history',
              head?.slice(0, 12) ?? '',
            ),
          },
        ]
      : [];
  return [
    ...(note.length === 0 ? [] : [separator(plain(folder ?? '', 200)), ...note]),
    ...rows(
      vscode.l10n.t('Conflicts'),
      conflicts.map(({ path, reason }) =>
        fileItem(path, conflictWords(reason, vscode.l10n), 'error'),
      ),
    ),
    ...rows(vscode.l10n.t('To be merged by you'), of(['markers'])),
    ...rows(vscode.l10n.t('New'), of(['add'])),
    ...rows(vscode.l10n.t('Changed'), of(['change', 'merge'])),
    ...rows(vscode.l10n.t('Moved'), of(['move'])),
    ...rows(vscode.l10n.t('Deleted'), of(['delete'])),
    ...rows(vscode.l10n.t('Staged in the session'), staged.map(stagedItem)),
    ...rows(
      vscode.l10n.t('Staged in the session, not here'),
      notStaged.map(({ path, reason }) => fileItem(path, conflictWords(reason, vscode.l10n))),
    ),
    ...rows(
      vscode.l10n.t('Left out'),
      left.map(({ path, reason }) => fileItem(path, leftWords(reason, vscode.l10n))),
    ),
  ];
}

function changeItem({ path, kind, from, there, isSensitive }: PlannedChange): PlanItem {
  return fileItem(
    path,
    joined(
      kind === 'merge' ? vscode.l10n.t('merged with what was changed here') : undefined,
      kind === 'markers'
        ? vscode.l10n.t('changed here and in the session, in the same lines')
        : undefined,
      from === undefined ? undefined : vscode.l10n.t('from {0}', plain(from)),
      there === undefined
        ? undefined
        : vscode.l10n.t('{0} in the session, moved here', plain(there)),
      isSensitive ? vscode.l10n.t('programs take commands or settings from it') : undefined,
    ),
    isSensitive ? 'warning' : kind === 'markers' ? 'git-merge' : undefined,
  );
}

const stagedItem = ({ path, kind, from }: PlannedChange): PlanItem =>
  fileItem(
    path,
    joined(
      kind === 'add' ? vscode.l10n.t('new') : undefined,
      kind === 'delete' ? vscode.l10n.t('deleted') : undefined,
      from === undefined ? undefined : vscode.l10n.t('from {0}', plain(from)),
    ),
  );

const fileItem = (path: string, description: string, icon = 'file'): PlanItem => ({
  iconPath: new vscode.ThemeIcon(icon),
  label: escapeIcons(plain(path)),
  description: escapeIcons(description),
});
