import type { Size } from '../convert/tail.js';
import type { ConversionReport } from './conversion.js';

export interface ContinueRequest {
  /** The agent that goes on, which may be the thread's own. */
  readonly agent: string;
  /** The folder in which it goes on; absent: the thread's own. */
  readonly folder?: string | undefined;
  /**
   * Goes on after this point as a new conversation: the id of the last turn that stays, or the number
   * of the last prompt that stays, from 1, with its answers.
   */
  readonly fork?: string | undefined;
  /** The branch that goes on; absent: the one that the agent would go on with. */
  readonly leaf?: string | undefined;
  /** Puts what the model thought into its answers as quoted text, for another agent. */
  readonly foldThinking?: boolean | undefined;
  /**
   * `tail`: the end that fits, after a summary of what came before; `brief`: a new conversation that begins with a
   * brief of this one; absent: all of it.
   */
  readonly only?: 'tail' | 'brief' | undefined;
  /** Tool calls are told in words, for a chat of VS Code that takes prompts and answers alone. */
  readonly wordsOnly?: boolean | undefined;
  /** What a tail or a brief may cost; absent: what fits the agent's usual model, or a brief's usual size. */
  readonly tokens?: number | undefined;
}

/** What would be done, or was. */
export interface Continuation {
  readonly agent: string;
  /** Of the session that goes on; null for a brief, whose session the agent makes itself. */
  readonly sessionId: string | null;
  /** What is written into the agent's store; nothing where a conversation goes on where it is. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** The argv that goes on with it, in {@link cwd}. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly report: ConversionReport;
  /** Of what goes on, against what the agent's usual model takes. */
  readonly size: Size;
  /** How many of the person's prompts come along. */
  readonly prompts: number;
  /** JSON of a chat that a window of VS Code takes in; only for its chat, whose store is the window's own. */
  readonly chat?: string | undefined;
  /** The brief, where there is one. */
  readonly prompt?: string | undefined;
}
