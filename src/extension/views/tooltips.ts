import * as vscode from 'vscode';
import type { OriginMark } from '../../core/model/origin.js';
import type { SessionSummary, SnapshotSummary } from '../../core/model/session.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import type { Node, SessionNode } from './nodes.js';
import { pathOf } from './origin.js';
import { escapeMarkdown, plain } from './plainText.js';
import * as words from './words.js';

/** The tooltip of a node, made when it is hovered. */
export function tooltip(node: Node): vscode.MarkdownString | undefined {
  switch (node.kind) {
    case 'session':
      return markdown(sessionLines(node));
    case 'snapshot':
      return markdown(snapshotLines(node.snapshot));
    case 'thread':
      return markdown(threadLines(node.thread));
    default:
      return undefined;
  }
}

/** Titles and prompts are hostile: no trust, no HTML, and every text of theirs escaped. */
function markdown(lines: readonly (string | undefined)[]): vscode.MarkdownString {
  const text = lines.filter((line) => line !== undefined).join('\n\n');
  const result = new vscode.MarkdownString(text);
  result.isTrusted = false;
  result.supportHtml = false;
  return result;
}

const shown = (text: string, max = 300): string => escapeMarkdown(plain(text, max));

/** `Label: value`, or undefined where there is no value. */
function field(label: string, value: string | undefined): string | undefined {
  return value === undefined || value === ''
    ? undefined
    : `${escapeMarkdown(label)}: ${shown(value)}`;
}

function sessionLines({ session, from }: SessionNode): (string | undefined)[] {
  return [
    `**${shown(session.title)}**`,
    session.goal === '' ? undefined : shown(session.goal, 600),
    escapeMarkdown(
      words.joined(
        statusWords(session),
        words.snapshotCount(session.snapshots),
        words.threadCount(session.threads),
      ),
    ),
    from === undefined || session.workspace === undefined
      ? undefined
      : field(vscode.l10n.t('Made in another folder'), pathOf(session.workspace)),
    senderLine(session.origin),
    field(vscode.l10n.t('Branch'), session.branch),
    field(vscode.l10n.t('Agents'), session.agents.map(agentName).join(', ')),
    field(vscode.l10n.t('Tags'), session.tags.join(', ')),
    field(vscode.l10n.t('Begun'), words.fullMomentWords(session.createdAt)),
    field(vscode.l10n.t('Last change'), words.fullMomentWords(session.updatedAt)),
  ];
}

function senderLine(origin: OriginMark | undefined): string | undefined {
  if (!origin) return undefined;
  const sender = origin.from ?? vscode.l10n.t('somebody');
  const known =
    origin.trust === 'verified'
      ? vscode.l10n.t('{0}, whose key was known here', sender)
      : vscode.l10n.t('{0}, unverified: the key was new here, or there was none', sender);
  return field(vscode.l10n.t('Sent by'), known);
}

function statusWords({ status, archived }: SessionSummary): string {
  if (archived === true) return vscode.l10n.t('Archived');
  switch (status) {
    case 'active':
      return vscode.l10n.t('Active');
    case 'paused':
      return vscode.l10n.t('Paused');
    case 'finished':
      return vscode.l10n.t('Finished');
  }
}

function snapshotLines(snapshot: SnapshotSummary): (string | undefined)[] {
  const { label, branch, delta } = snapshot;
  return [
    `**${shown(label ?? words.reasonWords(snapshot.reason))}**`,
    shown(words.fullMomentWords(snapshot.at)),
    label === undefined ? undefined : shown(words.reasonWords(snapshot.reason)),
    field(vscode.l10n.t('Holds'), words.contentWords(snapshot)),
    field(vscode.l10n.t('Since the one before'), words.deltaWords(delta)),
    field(vscode.l10n.t('Branch'), branch),
  ];
}

function stateLine({ state, agent }: ThreadSummary): string | undefined {
  if (state === 'live') return undefined;
  return escapeMarkdown(
    state === 'gone'
      ? vscode.l10n.t("The agent's own file is gone. Keepthread has its copy.")
      : vscode.l10n.t('The file is there, but {0} does not list it.', agentName(agent)),
  );
}

function threadLines(thread: ThreadSummary): (string | undefined)[] {
  const skipped = words.counted(
    thread.skipped,
    vscode.l10n.t('One place in the file could not be read. The rest is here.'),
    vscode.l10n.t('{0} places in the file could not be read. The rest is here.', thread.skipped),
  );
  return [
    `**${shown(thread.title)}**`,
    escapeMarkdown(
      words.joined(
        agentName(thread.agent),
        words.promptCount(thread.turns),
        thread.working ? vscode.l10n.t('is working') : undefined,
      ),
    ),
    field(vscode.l10n.t('Last prompt'), thread.lastPrompt),
    ...thread.openTodos.slice(0, 5).map((todo) => field(vscode.l10n.t('To do'), todo)),
    field(vscode.l10n.t('Folder'), thread.cwd),
    field(vscode.l10n.t('Branch'), thread.branch),
    thread.lastAt === undefined
      ? undefined
      : field(vscode.l10n.t('Last activity'), words.fullMomentWords(thread.lastAt)),
    stateLine(thread),
    skipped === undefined ? undefined : escapeMarkdown(skipped),
  ];
}
