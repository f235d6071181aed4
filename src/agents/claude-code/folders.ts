import { dashed } from '../folders.js';

/** A name's units before its hash. */
export const longestName = 200;

/**
 * The name of the folder under `projects/` in which Claude Code keeps the sessions of a working folder
 * (tried on 2.1.197): every UTF-16 unit outside A-Z a-z 0-9 becomes a dash; above 200 units the
 * rest gives way to a hash of the whole path. Different folders can get one name, so it only ever
 * narrows a search.
 */
export function encodeFolder(folder: string): string {
  const name = dashed(folder);
  return name.length <= longestName
    ? name
    : `${name.slice(0, longestName)}-${Math.abs(stringHash(folder)).toString(36)}`;
}

/** The signed 32-bit hash of Java's `String.hashCode`, over UTF-16 units. */
function stringHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
