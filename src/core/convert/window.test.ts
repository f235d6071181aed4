import assert from 'node:assert/strict';
import { historyBudget } from './window.js';

suite('what an agent can go on with', () => {
  const fits = (agent: string, model: string | undefined, tokens: number): void => {
    test(`${agent} with ${model ?? 'its usual model'}`, () => {
      assert.equal(historyBudget(agent, model), tokens);
    });
  };
  fits('claude-code', undefined, 120_000);
  fits('claude-code', 'claude-opus-4-7', 120_000);
  fits('codex', undefined, 163_200);
  fits('codex', 'gpt-4.1-mini', 628_545);
  fits('gemini-cli', undefined, 629_145);
  fits('opencode', undefined, 76_800);
  fits('opencode', 'anthropic/claude-sonnet-4-5', 120_000);
  fits('pi', 'a model of tomorrow', 76_800);
  fits('an agent of tomorrow', undefined, 76_800);
});
