import * as vscode from 'vscode';
import { beginArgv, beginningAgents } from '../../agents/begin.js';
import { targets } from '../../agents/targets.js';
import type { AgentId, ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { isInstalled } from './agentTerminal.js';
import { plain } from '../views/plainText.js';
import { pick, separator } from './pick.js';

export interface AgentChoice {
  readonly agent: AgentId;
  /** Its store can be written, so the whole history goes along; otherwise only a brief. */
  readonly isWhole: boolean;
}

interface AgentItem extends vscode.QuickPickItem {
  readonly choice?: AgentChoice;
}

/** Asks in which agent a conversation is to go on; those that are installed stand first, its own at the top. */
export async function pickAgent(
  thread: ThreadSummary,
  step?: { readonly at: number; readonly of: number },
): Promise<AgentChoice | undefined> {
  const whole = new Set([...targets.map(({ agent }) => agent), 'vscode-chat']);
  const agents = [...new Set([...whole, ...beginningAgents])];
  const rows = await Promise.all(
    agents.map(async (agent) => ({
      agent,
      isHere: await isHere(agent),
      isWhole: whole.has(agent),
    })),
  );
  const rank = ({ agent, isHere: here }: (typeof rows)[number]): number =>
    (here ? 0 : 2) + (agent === thread.agent ? 0 : 1);
  rows.sort((a, b) => rank(a) - rank(b) || agentName(a.agent).localeCompare(agentName(b.agent)));
  const item = ({ agent, isWhole }: (typeof rows)[number]): AgentItem => ({
    choice: { agent, isWhole },
    iconPath: new vscode.ThemeIcon(agent === 'vscode-chat' ? 'comment-discussion' : 'terminal'),
    label: agentName(agent),
    description: [
      agent === thread.agent ? vscode.l10n.t('the same agent') : '',
      isWhole ? '' : vscode.l10n.t('with a brief'),
    ]
      .filter((text) => text !== '')
      .join(', '),
  });
  const missing = rows.filter(({ isHere: here }) => !here).map(item);
  const picked = await pick<AgentItem>({
    items: [
      ...rows.filter(({ isHere: here }) => here).map(item),
      ...(missing.length === 0 ? [] : [separator(vscode.l10n.t('Not installed')), ...missing]),
    ],
    title:
      step === undefined
        ? vscode.l10n.t('Continue in')
        : vscode.l10n.t('Continue “{0}” in', plain(thread.title, 60)),
    placeholder: vscode.l10n.t('Choose the agent that goes on'),
    step,
  });
  return picked === 'back' ? undefined : picked?.choice;
}

/** VS Code's chat is always here. */
async function isHere(agent: AgentId): Promise<boolean> {
  const session = { id: 'x', cwd: '', now: 0, facts: {}, uuid: () => '' };
  const argv =
    beginArgv(agent, '') ?? targets.find((target) => target.agent === agent)?.resume(session);
  return argv?.[0] === undefined ? agent === 'vscode-chat' : isInstalled(argv[0]);
}
