/** What is to be forgotten: a session with its conversations, a conversation, or a text wherever it is. */
export type Forgotten =
  | {
      readonly session: string;
      /** Conversations of it that are of another project. */
      readonly threads?: readonly string[] | undefined;
    }
  /** With its subagents, whatever sessions it is in. */
  | { readonly thread: string }
  | { readonly text: string };

/** A conversation that is not taken in again: a person had it forgotten. */
export interface ForgottenThread {
  /** Thread id. */
  readonly id: string;
  /** Of a subagent: the conversation that it was forgotten with. */
  readonly parent?: string | undefined;
  /** When, in milliseconds since the epoch. */
  readonly at: number;
}

/** What forgetting changes, or would change, over all projects of a store. */
export interface ForgetCounts {
  /** Records, snapshots and contents that go as a whole. */
  readonly removed: number;
  /** Those that keep asterisks in the text's place. */
  readonly masked: number;
  readonly projects: number;
  /** Folders of backups in which older backups give way to a new one. */
  readonly backups: number;
}

/** What came back from a backup. */
export interface BroughtBack {
  readonly records: number;
  /** When the backup was made, in milliseconds since the epoch. */
  readonly at: number;
}

/** What tidying up would remove of one project, or did. */
export interface Cleanup {
  readonly deadSessions: number;
  readonly deadSnapshots: number;
  readonly liveBytes: number;
  readonly goingBytes: number;
}
