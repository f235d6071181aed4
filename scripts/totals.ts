import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const folder = path.join(import.meta.dirname, '..', '.vscode-test', 'results');

export const clearTotals = (): void => rmSync(folder, { recursive: true, force: true });

export const writeTotals = (suite: string, totals: Totals): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${suite}.json`), JSON.stringify(totals));
};

/** Sums what the suites wrote since {@link clearTotals}. */
export const sumTotals = (): Totals => {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Totals)
    .reduce(
      (sum, { passed, failed, skipped }) => ({
        passed: sum.passed + passed,
        failed: sum.failed + failed,
        skipped: sum.skipped + skipped,
      }),
      { passed: 0, failed: 0, skipped: 0 },
    );
};
