import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/model/session.js';
import { agentName } from '../../core/thread/names.js';
import type { SessionGroup } from '../views/groups.js';
import { groupSessions } from '../views/groups.js';
import { escapeIcons, plain } from '../views/plainText.js';
import * as words from '../views/words.js';
import { pick } from './pick.js';

interface SessionItem extends vscode.QuickPickItem {
  readonly session?: SessionSummary;
}

/** Lets a person choose a session; typing searches title, goal, branch, agents, tags and date. */
export async function pickSession(
  sessions: readonly SessionSummary[],
  options: { readonly activeId: string | undefined; readonly step?: { at: number; of: number } },
): Promise<SessionSummary | undefined> {
  const picked = await pick<SessionItem>({
    items: sessionItems(sessions, options.activeId, Date.now()),
    title: vscode.l10n.t('Sessions'),
    placeholder:
      sessions.length === 0
        ? vscode.l10n.t('There is no session yet')
        : vscode.l10n.t('Search title, goal, branch, agent or date'),
    step: options.step,
  });
  return picked === 'back' ? undefined : picked?.session;
}

function sessionItems(
  sessions: readonly SessionSummary[],
  activeId: string | undefined,
  now: number,
): SessionItem[] {
  const { active, groups } = groupSessions(sessions, activeId, now);
  const first = active
    ? [heading(vscode.l10n.t('Active')), sessionItem(active, 'circle-filled')]
    : [];
  return [
    ...first,
    ...groups.flatMap((group) => [
      heading(groupWords(group, now)),
      ...group.sessions.map((session) =>
        sessionItem(session, group.kind === 'finished' ? 'pass' : 'circle-outline'),
      ),
    ]),
  ];
}

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
  }
}

function sessionItem(session: SessionSummary, icon: string): SessionItem {
  const tags = session.tags.map((tag) => `#${tag}`).join(' ');
  return {
    session,
    iconPath: new vscode.ThemeIcon(icon),
    label: escapeIcons(plain(session.title)) || vscode.l10n.t('Untitled session'),
    description: escapeIcons(
      words.joined(
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
