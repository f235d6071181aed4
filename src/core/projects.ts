/** One project of a store, for a person to choose among. */
export interface ProjectSummary {
  readonly key: string;
  /** URIs of the folders that it was seen in, the latest first. */
  readonly folders: readonly string[];
  /** Sessions that are not deleted. */
  readonly sessions: number;
  /** Title of the session that was used last; may be empty. */
  readonly title: string;
  /** When that was, in milliseconds since the epoch. */
  readonly usedAt: number;
}

/** To which project a folder belongs, after a person has changed that. */
export interface Attachment {
  /** URI of the folder. */
  readonly folder: string;
  /** The project before. */
  readonly before: string;
  /** The project that it was attached to; undefined: the one that its history or its place says. */
  readonly projectKey?: string | undefined;
}
