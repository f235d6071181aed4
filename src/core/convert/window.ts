import type { AgentId } from '../model/thread.js';

/** How many tokens a text is, by some tokenizer. */
export type CountTokens = (text: string) => number;

/**
 * Tokens that a request to a model may hold, as its makers publish them (read in November 2026), by how the
 * model's id begins; the first row that fits counts.
 */
const windows: readonly (readonly [model: string, tokens: number])[] = [
  ['claude', 200_000], // docs.anthropic.com, context windows
  ['gpt-5', 272_000], // platform.openai.com, models: 400,000 with the answer
  ['gpt-4.1', 1_047_576], // platform.openai.com, models
  ['gpt-4o', 128_000], // platform.openai.com, models
  ['o3', 200_000], // platform.openai.com, models
  ['o4', 200_000], // platform.openai.com, models
  ['gemini', 1_048_576], // ai.google.dev, models
  ['qwen3-coder', 262_144], // huggingface.co/Qwen, model card
  ['kimi-k2', 262_144], // platform.moonshot.ai, models
  ['grok-code', 256_000], // docs.x.ai, models
  ['deepseek', 128_000], // api-docs.deepseek.com, models
  ['glm', 200_000], // docs.z.ai, models
];

/** What an agent asks when nobody chose a model; agents that take any model count as the smallest of today. */
const usual: Readonly<Record<AgentId, string>> = {
  'claude-code': 'claude',
  codex: 'gpt-5',
  'gemini-cli': 'gemini',
  'qwen-code': 'qwen3-coder',
  kimi: 'kimi-k2',
  grok: 'grok-code',
};
const SMALLEST = 128_000;

/**
 * Share of a window that a conversation may fill: the rest is for the agent's own instructions, its tools, the
 * files that it reads next and its answer, and because vendors' tokenizers count up to a third more than ours.
 */
const FILLED = 0.6;

/** Tokens of history that an agent can go on with; with a model's id, as that model can. */
export function historyBudget(agent: AgentId, model?: string): number {
  const name = (model ?? usual[agent] ?? '').toLowerCase().replace(/^.*\//, '');
  const window = windows.find(([model]) => name.startsWith(model))?.[1] ?? SMALLEST;
  return Math.floor(window * FILLED);
}
