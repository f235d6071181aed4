import type { Inspection } from '../../src/agents/inspect.js';
import type { Source } from '../../src/agents/source.js';
import type { NpmProgram } from './npmProgram.js';

/** A call that the model makes. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** A real program, what it calls the tools that the script uses, and in what its store differs from others. */
export interface ProgramCase {
  readonly program: NpmProgram;
  readonly create: () => Source;
  readonly shell: (command: string) => Call;
  readonly write: (file: string, text: string) => Call;
  /** Changes a file that an earlier prompt wrote: one or more answers of the model. */
  readonly edit: (file: string, from: string, to: string) => readonly (readonly Call[])[];
  /** How a very long output is shown, where it does not end as it ended. */
  readonly much?: RegExp;
  /** How a command that ends with 3 is shown. */
  readonly failure: RegExp;
  /** Whether its call is marked as failed, too. */
  readonly marksFailure?: boolean;
  /** How a prompt is kept, where it is not kept as it was given. */
  readonly kept?: (prompt: string) => string;
  /** What a session may be called that is not called by its first prompt; null: nothing. */
  readonly titles?: readonly (string | null)[];
  /** Thinking is not kept. */
  readonly thinks?: false;
  /** What `thread inspect` says besides, or other than, the usual. */
  readonly inspects?: Partial<Inspection>;
  /** An id of a session is gone on with in a copy. */
  readonly forks?: true;
  /** The program cannot be told to go on with the newest session. */
  readonly noLatest?: true;
  /** What stands in the middle of a result that the program shortens when it goes on with a session. */
  readonly cut?: RegExp;
  /** The program sends each result twice when it goes on with a session of its own, with or without us. */
  readonly repeatsResults?: true;
  /** Starts so slowly that it goes on with few others' conversations unless all are asked for (`MATRIX=all`). */
  readonly isSlow?: true;
  /** A prompt and its answers are kept once all of them are there. */
  readonly keepsAtEnd?: true;
  /** The store is written whole, again and again, and not appended to. */
  readonly rewrites?: true;
}
