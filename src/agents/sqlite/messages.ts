import type { Answer, Question } from './question.js';

/** To the process that reads databases: one at a time. */
export interface ToReader {
  readonly question: Question;
  /** Files up to this size are read whole. */
  readonly wholeBytes: number;
  /** Pages that a writer moves meanwhile are read again for so long. */
  readonly patienceMs: number;
}

export type FromReader =
  /** The file has been read whole; what follows is computing only. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly template: string;
      readonly args: readonly (string | number)[];
      readonly next?: string | undefined;
    };
