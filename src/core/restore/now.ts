import type { Editors } from '../model/editors.js';
import type { BreakpointState } from '../model/workbench.js';
import type { Folder } from './places.js';

/** The window as it is, in the shape in which it would be saved, and what the plan must know beyond. */
export interface Now {
  readonly folders: readonly Folder[];
  /** False in restricted mode: editors come back, nothing that could run. */
  readonly trusted: boolean;
  /** With the layout in shares. */
  readonly editors: Omit<Editors, 'drafts'>;
  /** Open documents with text that is not on disk. */
  readonly drafts: readonly NowDraft[];
  readonly terminals: readonly {
    readonly name: string;
    /** Absent as long as the shell has not told it. */
    readonly cwd?: string | undefined;
  }[];
  readonly breakpoints: readonly BreakpointState[];
  /** Whether a document can be opened: its file is there, or its scheme has no files. */
  readonly exists: (uri: string) => boolean;
  /** Whether a folder is on disk, by its path. */
  readonly folderExists: (path: string) => boolean;
  /** What a file holds; undefined when it cannot be read. */
  readonly disk: (uri: string) => DiskState | undefined;
}

export interface DiskState {
  /** SHA-256 (hex) of the bytes, as in `Draft.disk`. */
  readonly bytes: string;
  /** Hash of the same as text, as in `Draft.text`. */
  readonly text: string;
}

export interface NowDraft {
  readonly uri: string;
  readonly untitled: boolean;
  /** Hash of the text, as in `Draft.text`; empty for no text. */
  readonly text: string;
}
