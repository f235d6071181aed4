import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ConversionReport } from '../../src/core/model/conversion.js';
import type { ProgramCase } from './programCase.js';

const cellSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Versions of both programs. */
  versions: z.tuple([z.string(), z.string()]),
  /** What was left out on the way. */
  dropped: z.array(z.string()),
  /** Whether the program itself shortens long results when it goes on. */
  cuts: z.boolean(),
});
const matrixSchema = z.array(cellSchema);
export type Matrix = z.infer<typeof matrixSchema>;

const file = fileURLToPath(new URL('../../.vscode-test/matrix/pairs.json', import.meta.url));

/** The pairs that held when they were tried last, on this machine. */
export async function readMatrix(): Promise<Matrix> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  return matrixSchema.parse(JSON.parse(text));
}

/** A pair is tried: it holds no more until it is said to hold again. */
export async function begin(from: ProgramCase, to: ProgramCase): Promise<void> {
  await write(await othersThan(from, to));
}

export async function holds(
  from: ProgramCase,
  to: ProgramCase,
  { lines }: ConversionReport,
): Promise<void> {
  const dropped = lines.filter(({ fate }) => fate === 'dropped').map(({ what }) => what);
  const cell = {
    from: nameOf(from),
    to: nameOf(to),
    versions: [from.program.version, to.program.version] as [string, string],
    dropped: [...new Set(dropped)].sort(),
    cuts: to.cut !== undefined,
  };
  await write([...(await othersThan(from, to)), cell]);
}

async function othersThan(from: ProgramCase, to: ProgramCase): Promise<Matrix> {
  const matrix = await readMatrix();
  return matrix.filter((cell) => cell.from !== nameOf(from) || cell.to !== nameOf(to));
}

async function write(matrix: Matrix): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(matrix, undefined, 2)}\n`);
}

const nameOf = ({ create }: ProgramCase): string => create().name;
