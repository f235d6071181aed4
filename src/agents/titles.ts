const longestTitle = 100;

/** A prompt as a title: one line, not too long. */
export function shortened(prompt: string | undefined): string | undefined {
  const line = prompt
    ?.slice(0, 10 * longestTitle)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === undefined || line.length <= longestTitle) return line;
  return `${line.slice(0, longestTitle - 1).trimEnd()}…`;
}
