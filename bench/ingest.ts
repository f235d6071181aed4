// Taking in all that an agent has: 1 GB, or so many MB, in files of about 4 MB, against JSON.parse of the same lines; memory and disk.
// Usage: ingest.ts SCRATCH FIGURES [MB] (with a home of its own)
import { createReadStream, statSync } from 'node:fs';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { createEngine } from '../src/library/engine.js';
import type { Figure } from './figures.js';
import { times, writeFigures } from './figures.js';
import { folderBytes, openRequest, silent, wasm } from './project.js';
import { writeTranscripts } from './transcripts.js';

const megabyte = 1024 ** 2;
const [scratch = '', figures = '', size = '1024'] = process.argv.slice(2);
const request = openRequest(scratch);
const cwd = new URL(request.folders[0]?.uri ?? '').pathname;
const files = await writeTranscripts({
  home: os.homedir(),
  cwd,
  files: Math.ceil(Number(size) / 4.1),
  bytes: Number(size) * megabyte,
});
const written = files.reduce((sum, file) => sum + statSync(file).size, 0) / megabyte;

const seconds = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
};
/** What anybody does who reads such a file line by line. */
const parse = async (): Promise<void> => {
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
  }
};
/** Most that the process had at a time, in MB. */
const peak = (): number => process.resourceUsage().maxRSS / 1024;

const parsing = await seconds(parse);
const before = peak();
const take = async (redact: boolean, store: string) => {
  const engine = createEngine({ wasm, events: silent });
  await engine.open({ ...request, store, settings: { ...request.settings, redact } });
  const took = await seconds(() => engine.scanThreads());
  const again = await engine.scanThreads();
  await engine.close();
  return { took, again: again.bytesRead, bytes: folderBytes(store) / megabyte };
};
const taken = await take(true, request.store);
const memory = peak();
const plain = await take(false, `${request.store}-plain`);

const speed = (time: number): string => {
  const [own, other] = [written / time, written / parsing];
  return `${times(own / other)} (${own.toFixed(0)} MB/s against ${other.toFixed(0)} MB/s)`;
};
const what = `${written.toFixed(0)} MB in ${files.length} files`;
writeFigures(figures, [
  {
    what: `taking in ${what}, against JSON.parse of the same lines`,
    measured: speed(taken.took),
    goal: 'above 0.5x',
  },
  { what: 'the same without looking for secrets', measured: speed(plain.took), goal: '' },
  {
    what: 'bytes that a second look reads',
    measured: String(taken.again),
    goal: '0',
  },
  {
    what: 'memory of the process that takes it in, at most',
    measured: `${memory.toFixed(0)} MB (${before.toFixed(0)} MB before)`,
    goal: 'below 300 MB',
  },
  {
    what: 'disk for each MB of conversations',
    measured: times(taken.bytes / written),
    goal: 'below 0.4x',
  },
] satisfies Figure[]);
