import type { AgentId } from '../core/model/thread.js';

/**
 * How an agent is started with a first prompt in its terminal, to go on talking after it. Tried with the versions
 * that docs/agents.md names, or from `--help` and the makers' pages; an agent without a row has no such way.
 */
const argvs: Readonly<Record<AgentId, (prompt: string) => readonly string[]>> = {
  'claude-code': (prompt) => ['claude', prompt],
  cline: (prompt) => ['cline', prompt],
  codex: (prompt) => ['codex', prompt],
  continue: (prompt) => ['cn', prompt],
  'copilot-cli': (prompt) => ['copilot', '--interactive', prompt],
  cursor: (prompt) => ['cursor-agent', prompt],
  'factory-droid': (prompt) => ['droid', prompt],
  'gemini-cli': (prompt) => ['gemini', '--prompt-interactive', prompt],
  goose: (prompt) => ['goose', 'run', '--interactive', '--text', prompt],
  'kilo-code': (prompt) => ['kilo', '--prompt', prompt],
  kiro: (prompt) => ['kiro-cli', 'chat', prompt],
  opencode: (prompt) => ['opencode', '--prompt', prompt],
  pi: (prompt) => ['pi', prompt],
  'qwen-code': (prompt) => ['qwen', '--prompt-interactive', prompt],
};

/** The argv that starts a new conversation with a prompt; undefined where the agent takes none that way. */
export const beginArgv = (agent: AgentId, prompt: string): readonly string[] | undefined =>
  Object.hasOwn(argvs, agent) ? argvs[agent]?.(prompt) : undefined;

/** Agents that {@link beginArgv} knows. */
export const beginningAgents: readonly AgentId[] = Object.keys(argvs);
