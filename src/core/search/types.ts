import type { ThreadPlace } from '../engine.js';
import type { AgentId } from '../model/thread.js';
import type { Range } from './needle.js';

/** What a hit is a part of. `session`: its title, goal, tags, labels or files; `title`: a conversation's. */
export type HitKind =
  'prompt' | 'answer' | 'thinking' | 'toolInput' | 'toolResult' | 'notice' | 'title' | 'session';

export const roles = ['user', 'assistant', 'system', 'tool', 'thinking'] as const;
/** Who said it; `tool` and `thinking` are parts of an assistant's turns. */
export type SearchRole = (typeof roles)[number];

/** Narrows a search down. Several values of one filter mean any of them; the same filters can be typed into a query. */
export interface SearchFilters {
  /** Ids or names, or how they begin. */
  readonly agent?: readonly string[] | undefined;
  /** Session ids, or how they begin. */
  readonly session?: readonly string[] | undefined;
  readonly role?: readonly SearchRole[] | undefined;
  /** Names of tools, or parts of them, or what a tool is for (`shell`, `edit`, `read`, ...). */
  readonly tool?: readonly string[] | undefined;
  /** Ends of paths that a tool call names or a person attached, or folders in them. */
  readonly file?: readonly string[] | undefined;
  readonly branch?: readonly string[] | undefined;
  /** Milliseconds since the epoch: from then on, and until then. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** `folder`: only what was worked on in the given folders. */
  readonly in?: 'folder' | 'project' | undefined;
}

export interface SearchOptions extends SearchFilters {
  /** At most so many hits; 50 when absent. */
  readonly limit?: number | undefined;
  /** URIs or paths of the folders that `in: folder` means; the window's own when absent. */
  readonly folders?: readonly string[] | undefined;
  /**
   * The query is still being typed: its last word may go on, a search that was begun so before is given up, and
   * not everything is looked at when that would take long.
   */
  readonly asYouType?: boolean | undefined;
  /** Everything is looked at all the same. */
  readonly thorough?: boolean | undefined;
}

export interface SearchHit {
  readonly kind: HitKind;
  /** Absent for sessions, as are the other fields of a conversation. */
  readonly threadId?: string | undefined;
  readonly place?: ThreadPlace | undefined;
  readonly role?: SearchRole | undefined;
  readonly tool?: string | undefined;
  readonly agent?: AgentId | undefined;
  /** Sessions that it belongs to, or the one that it is. */
  readonly sessionIds: readonly string[];
  /** Of the conversation or the session. */
  readonly title: string;
  /** The folder that was worked in: a path, or a session's URI. */
  readonly folder?: string | undefined;
  readonly branch?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
  readonly snippet: Snippet;
}

/** Some of the text around what was found, in one line. */
export interface Snippet {
  readonly text: string;
  /** What was found, as indexes of `text`. */
  readonly matches: readonly Range[];
}

/** A word to the person: what in the query was not understood. `template` as in `ExpectedError`. */
export interface Advice {
  readonly template: string;
  readonly args: readonly string[];
}

export interface SearchResult {
  /** Sessions and titles first, then what was said, each newest first. */
  readonly hits: readonly SearchHit[];
  /** There is more than the limit allowed. */
  readonly more: boolean;
  /** Everything that could hold it was looked at, or the limit was reached first. */
  readonly complete: boolean;
  /** With advice there are no hits: the query means nothing as it is. */
  readonly advice: readonly Advice[];
  /** What was not searched: conversations that are still to be read into the index, and what could not be read. */
  readonly pending: { readonly threads: number; readonly bytes: number };
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  /** A newer search of somebody who types took its place; there are no hits. */
  readonly superseded: boolean;
}
