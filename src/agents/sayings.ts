import type { AgentId, NoticeKind, Part, Todo, Tokens } from '../core/model/thread.js';
import type { Fields } from './json.js';
import type { ToolResult } from './parts.js';

/** What a record says, in words that all agents share. */
export type Saying =
  /** A person typed this, and perhaps attached something. */
  | {
      readonly kind: 'prompt';
      readonly text: string;
      readonly media?: readonly Part[];
      /** Goes on with the prompt before, which is written in pieces. */
      readonly isMore?: boolean;
    }
  /** An answer of the model begins; one that is written in pieces has a key. */
  | {
      readonly kind: 'answer';
      readonly key?: string | undefined;
      readonly model?: string | undefined;
    }
  /** Parts of the answer that is under way. */
  | { readonly kind: 'text' | 'thinking'; readonly text: string; readonly isMore?: boolean }
  | { readonly kind: 'media'; readonly part: Part }
  /** A tool call; an empty id is none, and then the result stands here if it is anywhere. */
  | {
      readonly kind: 'call';
      readonly id: string;
      /** The agent gave no id: this one only brings the result to its call. */
      readonly isMadeUp?: boolean;
      readonly name: string;
      readonly input: unknown;
      readonly result?: ToolResult | undefined;
    }
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly isMadeUp?: boolean;
      readonly result: ToolResult;
    }
  | { readonly kind: 'notice'; readonly notice: NoticeKind; readonly text: string }
  /** What the answer that is under way cost; told again with the same key, it counts as told last. */
  | {
      readonly kind: 'tokens';
      readonly tokens: Tokens;
      readonly key?: string | undefined;
      /** Of what is said next. */
      readonly isAhead?: boolean;
    }
  /** What the whole conversation cost, where answers do not say it. */
  | { readonly kind: 'totalTokens'; readonly tokens: Tokens }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  /** Something about the thread as a whole. */
  | ({ readonly kind: 'about' } & About)
  /** The agent began or ended its turn, where its records say so. */
  | { readonly kind: 'working'; readonly is: boolean };

export interface About {
  /** The agent's own id for the conversation. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly parent?: string | undefined;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  /** `false`: calls have no ids in this form, so that they cannot be counted. */
  readonly hasCallIds?: boolean;
}

/** A record, understood. */
export interface Said {
  /** Another record with the same id is a copy. */
  readonly id?: string | undefined;
  /** The record that it goes on from; absent, or not there: the one before. */
  readonly parent?: string | undefined;
  /** ISO times, or milliseconds since the epoch; the first is the record's own. */
  readonly times?: readonly unknown[];
  readonly says: readonly Saying[];
}

/** How an agent writes. */
export interface Dialect {
  readonly agent: AgentId;
  /** What a record is, where it is no JSON. */
  readonly fieldsOf?: (record: Uint8Array) => Fields;
  /** A reader of the records of one thread, in order; it may remember those before. */
  reader(): RecordReader;
}

export type RecordReader = (record: Fields) => Said;

/** Nothing, where an agent says nothing of what it cost. */
export const tokenSayings = (tokens: Tokens | undefined, key?: string): readonly Saying[] =>
  tokens === undefined ? [] : [{ kind: 'tokens', tokens, key }];

export const nothingSaid: Said = { says: [] };
