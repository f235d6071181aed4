import * as vscode from 'vscode';
import { beginArgv, beginningAgents } from '../../agents/begin.js';
import { targets } from '../../agents/targets.js';
import type { AgentId, ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { isInstalled } from './agentTerminal.js';
import { pick } from './pick.js';

export interface AgentChoice {
  readonly agent: AgentId;
  /** Its store can be written, so the whole history goes along; otherwise only a brief. */
  readonly isWhole: boolean;
}

interface AgentItem extends vscode.QuickPickItem {
  readonly choice?: AgentChoice;
}

/** Asks in which agent a conversation is to go on; its own stands first, then those that are installed. */
export async function pickAgent(thread: ThreadSummary): Promise<AgentChoice | undefined> {
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
    agent === thread.agent ? 0 : here ? 1 : 2;
  rows.sort((a, b) => rank(a) - rank(b) || agentName(a.agent).localeCompare(agentName(b.agent)));
  const item = ({ agent, isWhole, isHere: here }: (typeof rows)[number]): AgentItem => ({
    choice: { agent, isWhole },
    iconPath: new vscode.ThemeIcon(here ? 'terminal' : 'cloud-download'),
    label: agentName(agent),
    description: [
      agent === thread.agent ? vscode.l10n.t('the same agent') : '',
      isWhole ? '' : vscode.l10n.t('with a brief'),
      here ? '' : vscode.l10n.t('not installed'),
    ]
      .filter((text) => text !== '')
      .join(', '),
  });
  const picked = await pick<AgentItem>({
    items: rows.map(item),
    title: vscode.l10n.t('Continue in'),
    placeholder: vscode.l10n.t('Choose the agent that goes on'),
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
