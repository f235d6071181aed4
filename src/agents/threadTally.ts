import type { ThreadCounts } from '../core/model/thread.js';
import { TokenTally } from './tokens.js';

/** Prompts that a person typed: how many, the first and the last. */
export class PromptTally {
  count = 0;
  first: string | undefined;
  last: string | undefined;

  /** One without words (an image alone) counts, and is no title. */
  add(text: string): void {
    this.count += 1;
    if (text === '') return;
    this.first ??= text;
    this.last = text;
  }

  /** The last one goes on. */
  addMore(text: string): void {
    if (this.count === 0) return;
    this.last = (this.last ?? '') + text;
    if (this.count === 1) this.first = this.last;
  }
}

/** What records add up to. Holds ids, never text, except for the first and last prompt. */
export class ThreadTally {
  readonly prompts = new PromptTally();
  readonly answers = new Set<string>();
  readonly calls = new Set<string>();
  readonly results = new Set<string>();
  readonly models = new Set<string>();
  readonly tokens = new TokenTally();
  thinkingBlocks = 0;

  counts(prompts = this.prompts): Omit<ThreadCounts, 'malformed' | 'firstAt' | 'lastAt'> {
    const tokens = this.tokens.total;
    return {
      ...(tokens && { tokens }),
      userTurns: prompts.count,
      assistantMessages: this.answers.size,
      toolCalls: this.calls.size,
      toolResultsMatched: [...this.calls].filter((id) => this.results.has(id)).length,
      toolResultsOrphan: [...this.results].filter((id) => !this.calls.has(id)).length,
      thinkingBlocks: this.thinkingBlocks,
      firstPrompt: prompts.first,
      lastPrompt: prompts.last,
      models: [...this.models],
    };
  }
}
