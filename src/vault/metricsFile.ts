import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metrics } from '../core/metrics.js';
import { metricsSchema, noMetrics, sum } from '../core/metrics.js';
import { writeAtomic } from './writeAtomic.js';

const metricsFile = (folder: string): string => join(folder, 'metrics.json');

/** How the saves of a project went so far; of a missing or damaged file nothing is known. */
export async function readMetrics(folder: string): Promise<Metrics> {
  try {
    const parsed = metricsSchema.safeParse(JSON.parse(await readFile(metricsFile(folder), 'utf8')));
    return parsed.data ?? noMetrics();
  } catch {
    return noMetrics();
  }
}

/**
 * Adds to them. Two windows that do so at the same moment may lose one's counts: they are statistics.
 *
 * @throws ExpectedError `diskFull`, `notWritable` or `writeFailed`
 */
export async function addMetrics(folder: string, more: Metrics): Promise<void> {
  const all = sum(await readMetrics(folder), more);
  await writeAtomic(metricsFile(folder), Buffer.from(JSON.stringify(all)));
}
