import type { AgentId } from '../model/thread.js';

const names: Readonly<Record<string, string>> = {
  aider: 'Aider',
  amp: 'Amp',
  antigravity: 'Antigravity',
  'claude-code': 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  continue: 'Continue',
  'copilot-cli': 'Copilot CLI',
  crush: 'Crush',
  cursor: 'Cursor',
  'factory-droid': 'Factory Droid',
  'gemini-cli': 'Gemini CLI',
  goose: 'Goose',
  grok: 'Grok',
  'kilo-code': 'Kilo Code',
  kimi: 'Kimi',
  kiro: 'Kiro',
  opencode: 'OpenCode',
  pi: 'Pi',
  'qwen-code': 'Qwen Code',
  'roo-code': 'Roo Code',
  'vscode-chat': 'VS Code Chat',
  windsurf: 'Windsurf',
  zed: 'Zed',
};

/** An agent's name for people; an agent that this version does not know goes by its id. */
export const agentName = (agent: AgentId): string => names[agent] ?? agent;
