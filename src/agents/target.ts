import type { ConversionReport } from '../core/model/conversion.js';
import type { AgentId } from '../core/model/thread.js';
import type { Conversation, Message, Takes } from '../core/convert/conversation.js';
import type { SourceQuery } from './source.js';

/**
 * The writer of one agent's store: a conversation as a new session that the agent's own resume flag
 * goes on with. It decides what to write, purely; {@link writeNew} writes it, new files only.
 */
export interface Target {
  readonly agent: AgentId;
  /** Name as the agent's makers write it. */
  readonly name: string;
  readonly takes: Takes;
  /** How to get the agent where it is not installed. */
  readonly getIt: string;
  /** A new id for a session, in the agent's own form; `random` is a UUID (version 4). */
  newId(random: string, now: number): string;
  /** The folder that the paths of new files are relative to. */
  home(query: Pick<SourceQuery, 'env' | 'userHome'>): string;
  /** What the files depend on that stands in the store or in settings: read before, never written. */
  look?(
    home: string,
    cwd: string,
    query: Pick<SourceQuery, 'env' | 'userHome'>,
  ): Promise<StoreFacts>;
  write(conversation: Conversation, place: NewSession): readonly NewFile[];
  /**
   * The agent's own records, for the same agent, as a new session or at another place: their content
   * byte for byte, with its signatures. Undefined: they are converted like any other agent's.
   */
  rewrite?(records: OwnRecords, place: NewSession): readonly NewFile[] | undefined;
  /** The argv that goes on with a session that was written so, in its working folder. */
  resume(session: NewSession): readonly string[];
  /** Where only the agent itself writes its store: its commands for the one file that is written. */
  importer?(session: NewSession): Importer;
}

export interface Importer {
  /** The argv that takes a file in; its path comes last. */
  readonly take: readonly string[];
  /** The argv that throws the session away again. */
  readonly remove: readonly string[];
}

export type StoreFacts = Readonly<Record<string, string>>;

/** Where a new session goes. */
export interface NewSession {
  readonly id: string;
  /** The working folder, absolute, with links resolved. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly facts: StoreFacts;
  /** New random UUIDs (version 4), one a call. */
  readonly uuid: () => string;
}

export interface OwnRecords {
  readonly nativeId: string;
  /** What the conversation is called, and when it began, where that is known. */
  readonly title?: string | undefined;
  readonly startedAt?: number | undefined;
  /** Of the version of the agent that wrote the newest one. */
  readonly version?: string | undefined;
  readonly records: readonly Uint8Array[];
  /** The turns that stay; absent: all. */
  readonly turns?: number | undefined;
}

/** A file to be made, below the agent's home or at an absolute path. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a conversion would write, and what became of the conversation. */
export interface Converted {
  readonly agent: AgentId;
  readonly nativeId: string;
  readonly home: string;
  readonly cwd: string;
  /** Where the target's own source looks for what was written. */
  readonly env: SourceQuery['env'];
  readonly userHome: string;
  /** With an importer it is the one file that the agent takes in. */
  readonly files: readonly NewFile[];
  readonly importer?: Importer | undefined;
  readonly command: readonly string[];
  readonly report: ConversionReport;
  /** What the files must hold when they are read back: messages, or of own records how many turns. */
  readonly expected: readonly Message[] | number;
}
