import { chunksOf } from './heads.js';

const longest = 16 * 1024 * 1024;

/**
 * What the beginning of a file tells, as soon as enough of it is read; undefined when its first 16 MB
 * do not.
 */
export async function firstIn<T>(
  path: string,
  look: (text: string) => T | undefined,
): Promise<T | undefined> {
  let seen: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(path)) {
    seen = Buffer.concat([seen, chunk]);
    const found = look(seen.toString('utf8'));
    if (found !== undefined || seen.length >= longest) return found;
  }
  return undefined;
}

/** The value of a text member, of any object within the JSON; inside texts quotes are escaped. */
export function memberIn(json: string, name: string): string | undefined {
  const [, value] =
    new RegExp(`(?<!\\\\)"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json) ?? [];
  try {
    return value === undefined ? undefined : String(JSON.parse(value));
  } catch {
    return undefined;
  }
}
