import * as vscode from 'vscode';
import type { SnapshotReason } from '../../core/model/session.js';
import { agentName } from '../../core/thread/names.js';
import { Command } from '../ids.js';
import type {
  GroupNode,
  Node,
  SectionNode,
  SessionNode,
  SnapshotNode,
  ThreadNode,
} from './nodes.js';
import { daysBefore } from './groups.js';
import { plain } from './plainText.js';
import * as words from './words.js';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export const snapshotIcons: Readonly<Record<SnapshotReason, string>> = {
  manual: 'bookmark',
  agentTurn: 'comment',
  edits: 'edit',
  gitHead: 'git-commit',
  blur: 'window',
  interval: 'clock',
  start: 'play-circle',
  beforeRestore: 'history',
  capture: 'terminal',
};

/**
 * The tree item of a node, without its tooltip. Ids are stable, so that what is expanded and selected
 * stays so when the tree is read again.
 *
 * @param now Milliseconds since the epoch: times of today show no date.
 */
export function treeItem(node: Node, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return groupItem(node, now);
    case 'session':
      return sessionItem(node, now);
    case 'section':
      return sectionItem(node);
    case 'snapshot':
      return snapshotItem(node, now);
    case 'thread':
      return threadItem(node, now);
    case 'older':
      return item(vscode.l10n.t('Show older snapshots ({0})', node.hidden), None, {
        id: `older:${node.sessionId}`,
        iconPath: new vscode.ThemeIcon('ellipsis'),
        contextValue: 'older',
        command: command(Command.showOlder, { sessionId: node.sessionId }),
      });
  }
}

type ItemFields = Partial<
  Pick<vscode.TreeItem, 'description' | 'iconPath' | 'contextValue' | 'command'>
> & { readonly id: string };

const item = (
  label: string,
  state: vscode.TreeItemCollapsibleState,
  fields: ItemFields,
): vscode.TreeItem => Object.assign(new vscode.TreeItem(label, state), fields);

const command = (id: Command, argument: object): vscode.Command => ({
  command: id,
  title: '',
  arguments: [argument],
});

function groupItem({ group }: GroupNode, now: number): vscode.TreeItem {
  const contextValue = 'group';
  switch (group.kind) {
    case 'day': {
      const state = group.start >= daysBefore(now, 1) ? Expanded : Collapsed;
      return item(words.dayWords(group.start, now), state, {
        id: `day:${group.start}`,
        contextValue,
      });
    }
    case 'month':
      return item(words.monthWords(group.start), Collapsed, {
        id: `month:${group.start}`,
        contextValue,
      });
    case 'finished':
      return item(vscode.l10n.t('Finished'), Collapsed, {
        id: 'finished',
        description: String(group.sessions.length),
        contextValue,
      });
    case 'archived':
      return item(vscode.l10n.t('Archived'), Collapsed, {
        id: 'archived',
        description: String(group.sessions.length),
        contextValue,
      });
    case 'others':
      return item(vscode.l10n.t('Other conversations'), Collapsed, {
        id: 'others',
        description: String(group.count),
        contextValue,
      });
  }
}

function sessionItem({ session, current, from }: SessionNode, now: number): vscode.TreeItem {
  const finished = session.status === 'finished';
  const isArchived = session.archived === true;
  const icon = current
    ? 'circle-filled'
    : isArchived
      ? 'archive'
      : finished
        ? 'pass'
        : session.origin
          ? 'inbox'
          : 'circle-outline';
  const title = plain(session.title) || vscode.l10n.t('Untitled session');
  return item(title, current ? Expanded : Collapsed, {
    id: `session:${session.id}`,
    description: words.joined(
      // Where it is from stands first: the end of a line is cut in a narrow view.
      session.origin && words.senderWords(session.origin),
      from === undefined ? undefined : words.fromWords(from),
      current ? vscode.l10n.t('active') : words.momentWords(session.updatedAt, now),
      plain(session.branch ?? '', 40),
      plain(session.tags.map((tag) => `#${tag}`).join(' '), 40),
    ),
    iconPath: new vscode.ThemeIcon(icon),
    contextValue: `session.${isArchived ? 'archived' : current ? 'current' : finished ? 'finished' : 'open'}`,
  });
}

function sectionItem({ section, sessionId, count, current }: SectionNode): vscode.TreeItem {
  const isThreads = section === 'threads';
  const label = isThreads ? vscode.l10n.t('Conversations') : vscode.l10n.t('Snapshots');
  return item(label, isThreads || current ? Expanded : Collapsed, {
    id: `${section}:${sessionId}`,
    description: String(count),
    contextValue: 'section',
  });
}

function snapshotItem({ snapshot }: SnapshotNode, now: number): vscode.TreeItem {
  const label = plain(snapshot.label ?? '', 60);
  const isNamed = label !== '' && snapshot.reason === 'manual';
  return item(words.joined(words.momentWords(snapshot.at, now), label), None, {
    id: `snapshot:${snapshot.id}`,
    description: words.joined(
      isNamed ? undefined : words.reasonWords(snapshot.reason),
      words.deltaWords(snapshot.delta),
    ),
    iconPath: new vscode.ThemeIcon(snapshotIcons[snapshot.reason]),
    contextValue: 'snapshot',
  });
}

function threadItem(node: ThreadNode, now: number): vscode.TreeItem {
  const { thread, threadId } = node;
  const isSubagent = thread.parent !== undefined;
  const icon = isSubagent ? 'type-hierarchy-sub' : 'comment-discussion';
  const title = plain(thread.title, 48) || vscode.l10n.t('Untitled conversation');
  return item(title, node.children.length > 0 ? Collapsed : None, {
    id: `thread:${node.under}:${threadId}`,
    description: words.joined(
      isSubagent ? undefined : agentName(thread.agent),
      words.threadStateWords(thread),
      thread.continues && words.continuesWords(thread.continues.thread),
      words.promptCount(thread.turns),
      thread.lastAt === undefined ? undefined : words.momentWords(thread.lastAt, now),
    ),
    iconPath: new vscode.ThemeIcon(thread.working ? 'loading~spin' : icon),
    // A subagent belongs to its parent's conversation and cannot be continued by itself.
    contextValue: isSubagent
      ? 'thread.subagent'
      : `thread.resumable${thread.continues === undefined ? '' : '.continued'}`,
    command: command(Command.openThread, { threadId }),
  });
}
