import type { AgentId } from '../../core/model/thread.js';

/** What a program made from OpenCode calls its things; the formats are the same. */
export interface Family {
  readonly agent: AgentId;
  readonly name: string;
  /** Its folder in the data folder, its databases (`<word>.db`, `<word>-<channel>.db`) and its command. */
  readonly word: string;
  /** Names another database, absolute or in the data folder. */
  readonly databaseVariable: string;
  /** The beginning of a session in a file of its own; what relatives write looks the same. */
  readonly file?: RegExp;
  /** Whether a database with these tables is this program's own. */
  owns(tables: readonly string[]): boolean;
}
