/**
 * What a handoff file may hold. A file comes from somebody else: whatever goes beyond one of these is
 * refused before it takes memory or time. Sizes are in bytes.
 */
export const limits = {
  /** The file as it lies on the disk. */
  file: 512 * 1024 * 1024,
  /** Everything in it, decompressed. */
  plain: 1024 * 1024 * 1024,
  /** Decompressed to stored, once the first megabyte is past. */
  ratio: 100,
  ratioFrom: 1024 * 1024,
  /** The first line. */
  header: 4 * 1024,
  /** One frame, decompressed. */
  frame: 16 * 1024 * 1024,
  /** One entry: a line of JSON. */
  entry: 8 * 1024 * 1024,
  entries: 150_000,
  /** Brackets inside brackets. */
  depth: 64,
  /** Keys of one object, items of one array. */
  keys: 200,
  items: 200_000,
  snapshots: 10_000,
  threads: 2_000,
  /** Records of all threads together. */
  records: 2_000_000,
  /** Contents that are named by hash, and the size of one. */
  blobs: 20_000,
  blob: 64 * 1024 * 1024,
  /** What this version does not know and keeps as data. */
  unknown: 1024 * 1024,
} as const;
