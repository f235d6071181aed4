import { charSet, type CharSet } from '../chars.js';

/**
 * One vendor's token: it begins with `mark`, and `min` to `max` characters of the set follow. The facts
 * are from the vendors' public documentation of their tokens.
 */
export interface Shape {
  readonly kind: string;
  readonly mark: string;
  readonly set: CharSet;
  readonly min: number;
  readonly max: number;
}

const sets = {
  /** letters and digits */
  an: charSet('A-Za-z0-9'),
  lower: charSet('a-z0-9'),
  upper: charSet('A-Z0-9'),
  letters: charSet('A-Za-z'),
  hex: charSet('0-9a-f'),
  anyHex: charSet('0-9a-fA-F'),
  uuid: charSet('0-9a-fA-F-'),
  base32: charSet('A-Z2-7'),
  url: charSet('A-Za-z0-9_-'),
  under: charSet('A-Za-z0-9_'),
  dash: charSet('A-Za-z0-9-'),
  dots: charSet('A-Za-z0-9_.-'),
  base64: charSet('A-Za-z0-9+/=_-'),
  wide: charSet('A-Za-z0-9+/=_.,:%~|-'),
} as const;

type Row = readonly [
  kind: string,
  marks: string,
  set: keyof typeof sets,
  min: number,
  max?: number,
];

/** Marks that differ but mean the same stand in one row, apart by spaces. */
export const shapes = (...rows: readonly Row[]): readonly Shape[] =>
  rows.flatMap(([kind, marks, set, min, max = 400]) =>
    marks.split(' ').map((mark) => ({ kind, mark, set: sets[set], min, max })),
  );
