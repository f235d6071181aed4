/** A file that a line of text names, perhaps with the number of a line in it. */
export interface FileMention {
  readonly path: string;
  /** One-based. */
  readonly line?: number | undefined;
  /** Where it stands, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** A longer line is generated or data, and looking through it would cost more than it brings. */
const longestLine = 2000;

/** `src/a.ts`, `src/a.ts:12`, `src/a.ts:12:3`, `a.ts:12`, `C:\a\b.ts`: with a folder, or with a line. */
const mention =
  /(?<![\w/\\.@:%+-])((?:[a-z]:[\\/]|\.{0,2}[\\/])?(?:[\w@.+-]+[\\/]){0,40}[\w@.+-]*\.[a-z]\w{0,9})(?::(\d{1,7})(?::\d{1,7})?)?(?![\w/\\-])/gi;

export function fileMentions(text: string): readonly FileMention[] {
  if (text.length > longestLine) return [];
  return [...text.matchAll(mention)].flatMap((found): readonly FileMention[] => {
    const [whole, path = '', line] = found;
    if (line === undefined && !/[\\/]/.test(path)) return [];
    const at = line === undefined ? undefined : Number(line);
    return [{ path, line: at, start: found.index, end: found.index + whole.length }];
  });
}
