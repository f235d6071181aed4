/** Runs the body while nothing below the folder may be changed; answers with what was tried all the same. */
export function withoutWrites<T>(
  folder: string,
  body: () => Promise<T>,
): Promise<{ readonly value: T; readonly tried: readonly string[] }>;
