/** What a frame's payload is. Numbers are for ever: they stand in the packs. */
export const FrameType = {
  /** `SessionEvent` as JSON. */
  session: 1,
  /** `Snapshot` as JSON. */
  snapshot: 2,
  /** A run of a thread's records: see `batch.ts`. */
  records: 3,
  /** Bytes named by their SHA-256: drafts, patches, file contents, parts of snapshots. */
  blob: 4,
  /** `ThreadEvent` as JSON: what happened to a thread's source. */
  thread: 5,
} as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

/** Where a frame lies: pack file name and byte offset of its magic. */
export interface FrameRef {
  readonly pack: string;
  readonly offset: number;
}

/** A frame as read, its checksums verified and its payload decompressed. */
export interface Frame extends FrameRef {
  /** Byte offset behind the frame: reading goes on there. */
  readonly end: number;
  readonly type: number;
  readonly clock: bigint;
  /** UUID of the session, or undefined for what belongs to none. */
  readonly sessionId: string | undefined;
  /** SHA-256 of the payload, hex. */
  readonly hash: string;
  readonly payload: Uint8Array;
}
