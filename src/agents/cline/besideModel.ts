import { textsIn } from '../contentBlocks.js';
import { textOf, type Fields } from '../json.js';
import type { Said, Saying } from '../sayings.js';
import { sumOf } from '../tokens.js';
import type { Tokens } from '../../core/model/thread.js';

/** So much of a prompt tells it from others; what follows may have been written out for the model. */
const enough = 120;

/**
 * What the log that a person saw adds to the log of what the model saw, when a task has both: when
 * things happened, what requests cost, and, from the first prompt on that the model's log does not have
 * (it was cut, or lost its end), all that was said.
 */
export class BesideModel {
  private readonly prompts: string[] = [];
  private hasModel = false;
  private countsTokens = false;
  private isBeyond = false;
  private total: Tokens | undefined;

  /** A record of the model's log. */
  note(record: Fields, said: Said): void {
    if (record['role'] === undefined) return;
    this.hasModel = true;
    if (record['role'] === 'user') this.prompts.push(...textsIn(record['content']));
    this.countsTokens ||= said.says.some(({ kind }) => kind === 'tokens');
  }

  /** What a record of the log that was shown says besides. */
  more(said: Said): Said {
    if (!this.hasModel) return said;
    const prompt = said.says.find((saying) => saying.kind === 'prompt');
    if (prompt !== undefined) this.isBeyond ||= !this.has(prompt.text);
    const says = said.says.flatMap((saying): readonly Saying[] => {
      if (saying.kind === 'about') return [{ ...saying, hasCallIds: true }];
      if (saying.kind === 'tokens' && !this.isBeyond) return this.cost(saying.tokens);
      return this.isBeyond ? [saying] : [];
    });
    return { ...said, says };
  }

  private cost(tokens: Tokens): readonly Saying[] {
    if (this.countsTokens) return [];
    this.total = sumOf(this.total, tokens);
    return this.total === undefined ? [] : [{ kind: 'totalTokens', tokens: this.total }];
  }

  private has(prompt: string): boolean {
    // A mention such as `@/src/a.ts` is written out for the model.
    const [words = ''] = prompt.trim().slice(0, enough).split('@');
    return this.prompts.some((text) => text.includes(words.trim()));
  }
}

export const isShown = (record: Fields): boolean =>
  textOf(record['say']) !== undefined || textOf(record['ask']) !== undefined;
