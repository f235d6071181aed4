/** The agents, by the name of their folder under `src/agents/`. */
export type AgentId = string;

/**
 * What a thread means: derived from an agent's records by that agent's parser, never stored instead
 * of them. Strings are decoded text; times are milliseconds since the epoch.
 */
export interface Thread {
  readonly agent: AgentId;
  /** The agent's own id for the conversation. */
  readonly nativeId: string;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  /** Native id of the thread that started this one as a subagent. */
  readonly parent?: string | undefined;
  /** The session that its records name, where that is another: some subagents' name the one that started them. */
  readonly session?: string | undefined;
  /** Version of the agent that wrote the newest record. */
  readonly version?: string | undefined;
  /** The turns of one branch, in order: of the one that the agent would go on with unless another was asked for. */
  readonly turns: readonly Turn[];
  /** Every branch, oldest first, where there are several and turns were asked for. */
  readonly branches?: readonly ThreadBranch[] | undefined;
  readonly todos: readonly Todo[];
  readonly counts: ThreadCounts;
  readonly skipped: readonly Skipped[];
}

/** What a conversation went on with from some point: a prompt that was edited, or undone since. */
export interface ThreadBranch {
  /** Names the branch, for `ParserOptions.leaf`; the same as long as the records before it are. */
  readonly leaf: string;
  /** When it was last added to. */
  readonly at?: number | undefined;
  /** The first prompt that it alone has. */
  readonly prompt?: string | undefined;
  /** Prompts that it alone has, told from newer branches; of the active branch, all of its own. */
  readonly turns: number;
  /** The agent's own choice. */
  readonly active: boolean;
}

export interface Turn {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly at?: number | undefined;
  readonly model?: string | undefined;
  /** Of an answer, where the agent writes it down. */
  readonly tokens?: Tokens | undefined;
  readonly parts: readonly Part[];
}

/** What a model read and wrote; nothing is in two of them. */
export interface Tokens {
  /** What it read and no cache had. */
  readonly input: number;
  /** What it wrote, thinking included. */
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | ToolCall
  | {
      readonly kind: 'image';
      readonly mediaType: string;
      /** Size of the decoded image. */
      readonly bytes: number;
      readonly name?: string | undefined;
      /** Base64; only where it was asked for and the records hold the image itself. */
      readonly data?: string;
    }
  /** A file or selection that the person attached. */
  | { readonly kind: 'attachment'; readonly name: string; readonly uri?: string | undefined }
  /** Something that happened: a compaction, an interruption, a slash command, an error shown to the user. */
  | { readonly kind: 'notice'; readonly notice: NoticeKind; readonly text: string };

export type NoticeKind = 'compaction' | 'interrupted' | 'command' | 'shell' | 'error' | 'info';

export interface ToolCall {
  readonly kind: 'toolCall';
  readonly id: string;
  readonly name: string;
  /** The call's arguments as the agent wrote them (a JSON value). */
  readonly input: unknown;
  /** Absent when the call was never answered. */
  readonly result?: { readonly text: string; readonly isError: boolean } | undefined;
}

export interface Todo {
  readonly text: string;
  readonly state: 'open' | 'doing' | 'done';
}

/** A place in the input that could not be read. */
export interface Skipped {
  /** One-based. */
  readonly line: number;
  /** Byte offset of the line's start. */
  readonly offset: number;
  readonly reason: 'notJson' | 'notAnObject' | 'nulBytes' | 'incomplete' | 'badEdit';
}

/**
 * Counted over all records of a file, every branch, duplicates by id removed; what each number means
 * is in docs/agents.md. `null` where the format has no call ids.
 */
export interface ThreadCounts {
  readonly userTurns: number;
  readonly assistantMessages: number;
  readonly toolCalls: number | null;
  readonly toolResultsMatched: number | null;
  readonly toolResultsOrphan: number | null;
  readonly thinkingBlocks: number;
  readonly firstPrompt?: string | undefined;
  readonly lastPrompt?: string | undefined;
  readonly models: readonly string[];
  /** Of all answers; absent where the agent writes none down. */
  readonly tokens?: Tokens | undefined;
  readonly firstAt?: number | undefined;
  readonly lastAt?: number | undefined;
  readonly malformed: number;
}

/**
 * `gone`: the agent's own file is no longer there; ours is. `unlisted`: the file is there, and the
 * agent's own list leaves it out.
 */
export type ThreadState = 'live' | 'unlisted' | 'gone';

/** A row of a thread list. */
export interface ThreadSummary {
  /** `<agent>:<nativeId>`, unique in a project. */
  readonly id: string;
  readonly agent: AgentId;
  readonly nativeId: string;
  readonly title: string;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  /** `id` of the thread that started this one as a subagent. */
  readonly parent?: string | undefined;
  /** The thread that this one goes on from, by its id, and how many of its prompts came along. */
  readonly continues?: { readonly thread: string; readonly prompts: number } | undefined;
  readonly version?: string | undefined;
  /** Prompts that a person typed. */
  readonly turns: number;
  readonly messages: number;
  readonly firstAt?: number | undefined;
  readonly lastAt?: number | undefined;
  readonly firstPrompt?: string | undefined;
  readonly lastPrompt?: string | undefined;
  readonly openTodos: readonly string[];
  /** Whether the agent is in the middle of a turn, as far as its records tell. */
  readonly working: boolean;
  readonly generation: number;
  readonly records: number;
  readonly bytes: number;
  readonly state: ThreadState;
  readonly skipped: number;
}
