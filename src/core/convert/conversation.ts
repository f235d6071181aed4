import type { Thread, Todo } from '../model/thread.js';
import type { Arguments } from './toolOps.js';

/**
 * A conversation as every vendor's interface takes it: a person's prompts and a model's answers in
 * turn, each call of a tool answered exactly once, no text empty.
 */
export interface Conversation {
  readonly title: string;
  readonly branch?: string | undefined;
  readonly messages: readonly Message[];
  readonly todos: readonly Todo[];
}

export type Message =
  | { readonly role: 'user'; readonly at: number; readonly content: readonly Content[] }
  | AnswerMessage
  /** What came before, as the agent summed it up when its context was full. */
  | { readonly role: 'summary'; readonly at: number; readonly text: string };

export interface AnswerMessage {
  readonly role: 'assistant';
  readonly at: number;
  readonly model: string | undefined;
  readonly content: readonly Content[];
  /** Made at once, after the content. */
  readonly calls: readonly AnsweredCall[];
}

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; /** Base64. */ readonly data: string };

export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  readonly input: Arguments;
  readonly result: {
    readonly text: string;
    readonly isError: boolean;
    readonly images: readonly Extract<Content, { kind: 'image' }>[];
  };
}

/** What a target's format, and the model behind it, can take. */
export interface Takes {
  /** In prompts and results. */
  readonly images: boolean;
  /** Whether results hold images too, where prompts do; absent: yes. */
  readonly resultImages?: boolean;
  /** Whether a result can say that its tool failed; absent: yes. Otherwise its text must. */
  readonly failures?: boolean;
  /** Characters of a result that its program sends whole: out of longer ones it cuts the middle; absent: any. */
  readonly longestResult?: number;
  /** Whether a summary has a kind of its own there; otherwise it is a marked prompt. */
  readonly summaries: boolean;
  /**
   * Whether its list of todos comes with the conversation; absent: yes, by the call that set it. Otherwise it has a list
   * beside the conversation that stays empty until its own tool is called again.
   */
  readonly todoList?: boolean;
  /** Whether calls of tools have a form there; absent: yes. Otherwise the answers tell of them in words. */
  readonly calls?: boolean;
  /** A text as the format must hold it, where it would take some lines for marks of its own; absent: as it is. */
  readonly held?: (text: string, role: 'user' | 'assistant') => string;
  /** Ids of calls that the vendor's interface accepts. */
  readonly callId: RegExp;
  /** Names of tools that it accepts, and how many characters. */
  readonly toolName: { readonly allowed: RegExp; readonly longest: number };
}

export interface ConvertOptions {
  /** Only the turns before this one; absent: all. */
  readonly turns?: number | undefined;
  /** Puts what the model thought into its answers, as quoted text; otherwise it is left out. */
  readonly foldThinking?: boolean | undefined;
}

/** All that a conversion needs of a thread. */
export type Convertible = Pick<
  Thread,
  'agent' | 'nativeId' | 'title' | 'branch' | 'turns' | 'todos' | 'counts'
>;
