import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { readMatrix, type Matrix } from '../test/agents/matrixResults.js';

/*
 * Writes what `npm run test:agents` found, pair by pair, into docs/agents.md. A pair that failed, or was not
 * tried, gets no mark.
 */
const begin = '<!-- matrix: written by scripts/matrix.ts -->';
const end = '<!-- /matrix -->';

const names = (matrix: Matrix, side: 'from' | 'to'): readonly string[] =>
  [...new Set(matrix.map((cell) => cell[side]))].sort();

function table(matrix: Matrix): string {
  const [rows, columns] = [names(matrix, 'from'), names(matrix, 'to')];
  const versions = new Map(
    matrix.flatMap(({ from, to, versions: [one, other] }) => [
      [from, one],
      [to, other],
    ]),
  );
  const cellOf = (from: string, to: string): string => {
    const cell = matrix.find((one) => one.from === from && one.to === to);
    if (cell === undefined) return '';
    return cell.cuts ? 'all, long results cut' : 'all';
  };
  const lines = [
    ['from \\ to', ...columns],
    ['---', ...columns.map(() => '---')],
    ...rows.map((from) => [
      `${from} ${versions.get(from) ?? ''}`,
      ...columns.map((to) => cellOf(from, to)),
    ]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const matrix = await readMatrix();
if (matrix.length === 0) throw new Error('Run `npm run test:agents` first.');
const dropped = [...new Set(matrix.flatMap((cell) => cell.dropped))].sort();
const left = dropped.length === 0 ? 'Nothing was left out.' : `Left out: ${dropped.join(', ')}.`;
const file = fileURLToPath(new URL('../docs/agents.md', import.meta.url));
const text = await readFile(file, 'utf8');
const [before, rest] = text.split(begin);
const after = rest?.split(end)[1];
if (before === undefined || after === undefined) throw new Error(`${file} has no place for it.`);
const made = `${before}${begin}\n\n${table(matrix)}\n\n${left}\n\n${end}${after}`;
await writeFile(file, await format(made, { parser: 'markdown', printWidth: 100 }));
console.log(table(matrix));
