/** A line of a comparison: kept, taken out or put in. */
export type DiffLine = `${' ' | '-' | '+'}${string}`;

/** Above so many pairs of lines the middle is shown as replaced whole: a finer answer would cost seconds. */
const mostPairs = 1_000_000;

/**
 * The lines of two texts as a unified diff has them, without heads and with all that is the same. Longest common subsequence
 * by dynamic programming (Wagner and Fischer 1974), between what the texts begin and end with in common.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  return [
    ...old.slice(0, head).map((line): DiffLine => ` ${line}`),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map((line): DiffLine => ` ${line}`),
  ];
}

/** An empty text has no lines. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const removed = old.map((line): DiffLine => `-${line}`);
  const added = now.map((line): DiffLine => `+${line}`);
  if (old.length * now.length > mostPairs) return [...removed, ...added];
  const width = now.length + 1;
  // Lengths of what the rests from (i, j) on have in common.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push(` ${old[i] ?? ''}`);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(`-${old[i++] ?? ''}`);
    else lines.push(`+${now[j++] ?? ''}`);
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}
