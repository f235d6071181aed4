import * as vscode from 'vscode';
import type { RepositoryPlan } from '../../core/apply/types.js';
import { pick, separator } from '../commands/pick.js';
import { escapeIcons, plain } from '../views/plainText.js';

export type Placing =
  /** `null`: leave it out. */
  { readonly folder: string | null } | { readonly fetch: true };

interface PlaceItem extends vscode.QuickPickItem {
  readonly placing?: Placing;
}

/** Asks where a repository of the session is here, or whether its commit may be fetched. Undefined: closed. */
export async function placeRepository(repository: RepositoryPlan): Promise<Placing | undefined> {
  const { name, state, candidates, folder, fetchFrom, remote } = repository;
  const commit = commitWords(repository);
  const fetch: PlaceItem[] =
    fetchFrom === undefined
      ? []
      : [
          {
            placing: { fetch: true },
            iconPath: new vscode.ThemeIcon('cloud-download'),
            label: vscode.l10n.t(
              'Fetch the commit from {0}',
              escapeIcons(plain(fetchFrom.name, 60)),
            ),
            description: escapeIcons(plain(fetchFrom.url, 200)),
          },
        ];
  const items: PlaceItem[] = [
    ...fetch,
    {
      placing: { folder: null },
      iconPath: new vscode.ThemeIcon('debug-step-over'),
      label: vscode.l10n.t('Leave its changes out'),
    },
    ...(candidates.length === 0 ? [] : [separator(vscode.l10n.t('Folders of this window'))]),
    ...candidates.map((root): PlaceItem => ({
      placing: { folder: root },
      iconPath: new vscode.ThemeIcon('repo'),
      label: escapeIcons(plain(root, 200)),
      description: root === folder ? vscode.l10n.t('does not have the commit') : '',
    })),
  ];
  const picked = await pick<PlaceItem>({
    items,
    title:
      state === 'noCommit'
        ? vscode.l10n.t('Commit {0} is not here', commit)
        : vscode.l10n.t('Where is {0} here?', plain(name, 60)),
    placeholder:
      state === 'noCommit'
        ? vscode.l10n.t('The changes lie on it. It is from {0}', plain(remote ?? name, 200))
        : vscode.l10n.t('No folder of this window is a clone of it'),
    isChoice: ({ placing }) => placing !== undefined,
  });
  return picked === 'back' ? undefined : picked?.placing;
}

const commitWords = ({ head = '', branch }: RepositoryPlan): string =>
  [head.slice(0, 12), plain(branch ?? '', 60)].filter((text) => text !== '').join(' ');
