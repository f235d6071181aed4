import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** One measured figure, as it is printed. */
export const figureSchema = z.object({ what: z.string(), measured: z.string(), goal: z.string() });
export type Figure = z.infer<typeof figureSchema>;

export const writeFigures = (file: string, figures: readonly Figure[]): void =>
  writeFileSync(file, JSON.stringify(figures));

export const readFigures = (file: string): readonly Figure[] =>
  z.array(figureSchema).parse(JSON.parse(readFileSync(file, 'utf8')));

/** The middle value. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

export const times = (value: number): string => `${value.toFixed(2)}x`;
