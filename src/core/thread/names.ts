import type { AgentId } from '../model/thread.js';

const names: Readonly<Record<string, string>> = {
  aider: 'Aider',
  'claude-code': 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  continue: 'Continue',
  'copilot-cli': 'Copilot CLI',
  cursor: 'Cursor',
  'gemini-cli': 'Gemini CLI',
  'kilo-code': 'Kilo Code',
  opencode: 'OpenCode',
  pi: 'Pi',
  'qwen-code': 'Qwen Code',
  'roo-code': 'Roo Code',
  'vscode-chat': 'VS Code Chat',
};

/** An agent's name for people; an agent that this version does not know goes by its id. */
export const agentName = (agent: AgentId): string => names[agent] ?? agent;
