/** The keys under which parts of a snapshot name contents. */
const blobKeys = new Set(['text', 'staged', 'unstaged', 'content']);

/**
 * A part with the contents that it names named anew. `blobs` gives the new name of each; an empty one
 * takes the name away, and with it a draft, which is nothing without its text. Fields that are not known
 * stay.
 */
export function withBlobs(value: unknown, blobs: ReadonlyMap<string, string>): unknown {
  if (blobs.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value
      .filter((item: unknown) => !isGoneDraft(item, blobs))
      .map((item: unknown) => withBlobs(item, blobs));
  }
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const name = blobKeys.has(key) && typeof item === 'string' ? blobs.get(item) : undefined;
    if (name === undefined) return [[key, withBlobs(item, blobs)]];
    return name === '' ? [] : [[key, name]];
  });
  return Object.fromEntries(entries);
}

const isGoneDraft = (item: unknown, blobs: ReadonlyMap<string, string>): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'untitled' in item &&
  'text' in item &&
  typeof item.text === 'string' &&
  blobs.get(item.text) === '';
