import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/model/session.js';
import { agentName } from '../../core/thread/names.js';
import type { SessionGroup } from '../views/groups.js';
import { groupSessions } from '../views/groups.js';
import { escapeIcons, plain } from '../views/plainText.js';
import type { ListFilter } from '../views/listFilter.js';
import type { SessionList } from '../views/sessionList.js';
import * as words from '../views/words.js';
import { pick } from './pick.js';

interface SessionItem extends vscode.QuickPickItem {
  readonly session?: SessionSummary;
}

/**
 * Lets a person choose a session; typing searches title, goal, branch, agents, tags, folder and date. Shows what
 * the list shows, with a button for this folder or the whole project.
 */
export async function pickSession(
  { filter, activeId }: Pick<SessionList, 'filter' | 'activeId'>,
  sessions: readonly SessionSummary[],
  {
    title = vscode.l10n.t('Sessions'),
    step,
  }: {
    readonly title?: string;
    readonly step?: { readonly at: number; readonly of: number };
  } = {},
): Promise<SessionSummary | undefined> {
  const items = (): SessionItem[] => {
    const shown = sessions.filter((session) => filter.shows(session, activeId));
    return sessionItems(shown, filter, activeId, Date.now());
  };
  const hasElsewhere = sessions.some((session) => filter.originOf(session) !== undefined);
  const picked = await pick<SessionItem>({
    items: items(),
    title,
    placeholder:
      sessions.length === 0
        ? vscode.l10n.t('There is no session yet')
        : vscode.l10n.t('Search title, goal, branch, agent or date'),
    step,
    toggle: hasElsewhere
      ? {
          button: () => folderButton(filter.shown.onlyHere),
          press: async () => {
            await filter.set({ onlyHere: !filter.shown.onlyHere });
            return items();
          },
        }
      : undefined,
  });
  return picked === 'back' ? undefined : picked?.session;
}

const folderButton = (onlyHere: boolean): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(onlyHere ? 'filter-filled' : 'filter'),
  tooltip: onlyHere
    ? vscode.l10n.t('Show sessions of the whole project')
    : vscode.l10n.t('Show sessions of this folder only'),
});

function sessionItems(
  sessions: readonly SessionSummary[],
  filter: ListFilter,
  activeId: string | undefined,
  now: number,
): SessionItem[] {
  const { active, groups } = groupSessions(sessions, activeId, now);
  const item = (session: SessionSummary, icon: string): SessionItem =>
    sessionItem(session, icon, filter.originOf(session));
  const first = active ? [heading(vscode.l10n.t('Active')), item(active, 'circle-filled')] : [];
  return [
    ...first,
    ...groups.flatMap((group) => [
      heading(groupWords(group, now)),
      ...group.sessions.map((session) => item(session, groupIcons[group.kind])),
    ]),
  ];
}

const groupIcons: Readonly<Record<SessionGroup['kind'], string>> = {
  day: 'circle-outline',
  month: 'circle-outline',
  finished: 'pass',
  archived: 'archive',
};

const heading = (label: string): SessionItem => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

function groupWords(group: SessionGroup, now: number): string {
  switch (group.kind) {
    case 'day':
      return words.dayWords(group.start, now);
    case 'month':
      return words.monthWords(group.start);
    case 'finished':
      return vscode.l10n.t('Finished');
    case 'archived':
      return vscode.l10n.t('Archived');
  }
}

function sessionItem(session: SessionSummary, icon: string, from: string | undefined): SessionItem {
  const tags = session.tags.map((tag) => `#${tag}`).join(' ');
  return {
    session,
    iconPath: new vscode.ThemeIcon(icon),
    label: escapeIcons(plain(session.title)) || vscode.l10n.t('Untitled session'),
    description: escapeIcons(
      words.joined(
        session.origin && words.senderWords(session.origin),
        from === undefined ? undefined : words.fromWords(from),
        plain(session.branch ?? '', 60),
        session.agents.map(agentName).join(', '),
        plain(tags, 60),
      ),
    ),
    detail: escapeIcons(
      words.joined(
        plain(session.goal, 100),
        words.fullMomentWords(session.updatedAt),
        words.snapshotCount(session.snapshots),
      ),
    ),
  };
}
