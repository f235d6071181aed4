export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => string | number;
}

/** Aligned columns under their titles, numbers to the right; no space at the end of a line. */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const filled = columns.map(({ title, of }) => {
    const values = rows.map(of);
    const cells = [title, ...values.map(String)];
    const width = Math.max(...cells.map(widthOf));
    const isNumber = values.some((value) => typeof value === 'number');
    return cells.map((cell) => {
      const gap = ' '.repeat(width - widthOf(cell));
      return isNumber ? gap + cell : cell + gap;
    });
  });
  const lines = ['', ...rows].map((_, line) =>
    filled.map((column) => column[line] ?? '').join('  '),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Names with their values, one a line; empty values are left out. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const said = pairs.filter(([, value]) => value !== '');
  const width = Math.max(...said.map(([name]) => name.length));
  return said.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

/** Chinese, Japanese and Korean characters and emoji take two places of a terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const none = /\p{Mn}|\p{Me}|\u200c|\u200d/u;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += none.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** `2026-11-30 04:46`, in local time. */
export function when(at: number | undefined): string {
  if (at === undefined) return '';
  return new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

/** The start of an id, which is enough to name it by. */
export const shortId = (id: string): string => id.slice(0, 8);
