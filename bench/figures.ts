import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** One measured figure, as it is printed. */
export const figureSchema = z.object({ what: z.string(), measured: z.string(), goal: z.string() });
export type Figure = z.infer<typeof figureSchema>;

export const writeFigures = (file: string, figures: readonly Figure[]): void =>
  writeFileSync(file, JSON.stringify(figures));

export const readFigures = (file: string): readonly Figure[] =>
  z.array(figureSchema).parse(JSON.parse(readFileSync(file, 'utf8')));

/** The value that this share of all (0 to 1) do not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN;

/** The middle value. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Bytes that the disk of a folder has left. */
export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

export const times = (value: number): string => `${value.toFixed(2)}x`;
