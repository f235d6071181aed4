import type { Turn } from '../model/thread.js';

/** A turn on a page of a thread's document, for outlines and for jumping between prompts. Lines count from 0. */
export interface DocumentTurn {
  /** Numbers of its turns in the thread: one answer may be written as several. */
  readonly from: number;
  readonly to: number;
  readonly role: Turn['role'];
  /** A prompt's first words; for others, who speaks. */
  readonly name: string;
  /** The heading's other words: model, time. */
  readonly detail: string;
  /** Lines of the heading and of the last line. */
  readonly start: number;
  readonly end: number;
  readonly calls: readonly DocumentCall[];
}

/** A tool call on a page. */
export interface DocumentCall extends PartPlace {
  readonly name: string;
  /** What it is about, in a few words. */
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  /** What it did to files can be compared. */
  readonly hasChanges: boolean;
}

/** Numbers, counted from 0, of a turn in its thread and of a part in its turn. */
export interface PartPlace {
  readonly turn: number;
  readonly part: number;
}

/** A place on a page that leads elsewhere: a stretch of one line, in UTF-16 units. */
export interface DocumentLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly to: LinkTarget;
}

export type LinkTarget =
  /** A file as the transcript names it: it may have moved, or be none of this folder. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly line?: number | undefined;
      /** Lines that the file held then, by which it is known again under another name. */
      readonly holds?: readonly string[] | undefined;
    }
  | ({ readonly kind: 'image' } & PartPlace)
  /** A subagent's thread. */
  | { readonly kind: 'thread'; readonly threadId: string };
