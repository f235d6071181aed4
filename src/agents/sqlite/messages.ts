import type { Answer, Question } from './question.js';

/** To the process that reads databases: one at a time. */
export interface ToReader {
  readonly question: Question;
}

export type FromReader =
  /** The file has been read; what follows is computing only. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly template: string;
      readonly args: readonly (string | number)[];
      readonly next?: string | undefined;
    };
