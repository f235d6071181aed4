// Taking in all that an agent has: 1 GB, or so many MB, in files of about 4 MB, against JSON.parse of the same lines; memory and disk.
// Usage: ingest.ts SCRATCH FIGURES [MB] (with a home of its own) | ingest.ts SCRATCH step, each in a process of its own
import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { youngGenerationMb } from '../src/extension/engine/client.js';
import { createEngine } from '../src/library/engine.js';
import { times, writeFigures } from './figures.js';
import { folderBytes, openRequest, silent, wasm } from './project.js';
import { writeTranscripts } from './transcripts.js';

const megabyte = 1024 ** 2;
const [scratch = '', second = '', size = '1024'] = process.argv.slice(2);
const request = openRequest(scratch);

const seconds = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
};
/** Most that the process had at a time, in MB. */
const peak = (): number => process.resourceUsage().maxRSS / 1024;

const stepSchema = z.object({
  took: z.number(),
  again: z.number(),
  megabytes: z.number(),
  before: z.number(),
  memory: z.number(),
});
type Step = z.infer<typeof stepSchema>;
const stepFile = path.join(scratch, 'step.json');

async function take(redact: boolean): Promise<Step> {
  const store = `${request.store}${redact ? '' : '-plain'}`;
  const engine = createEngine({ wasm, events: silent });
  await engine.open({ ...request, store, settings: { ...request.settings, redact } });
  const before = peak();
  const took = await seconds(() => engine.scanThreads());
  const again = await engine.scanThreads();
  await engine.close();
  const megabytes = folderBytes(store) / megabyte;
  return { took, again: again.bytesRead, megabytes, before, memory: peak() };
}

function run(step: 'take' | 'takePlain'): Step {
  const script = path.join(import.meta.dirname, 'ingest.ts');
  // As the engine's thread has it in a window: the young objects take three semi-spaces.
  const limit = `--max-semi-space-size=${youngGenerationMb / 3}`;
  const args = [limit, '--import', 'tsx', script, scratch, step];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  return stepSchema.parse(JSON.parse(readFileSync(stepFile, 'utf8')));
}

async function compare(figures: string): Promise<void> {
  const files = await writeTranscripts({
    home: os.homedir(),
    cwd: new URL(request.folders[0]?.uri ?? '').pathname,
    files: Math.ceil(Number(size) / 4.1),
    bytes: Number(size) * megabyte,
  });
  const written = files.reduce((sum, file) => sum + statSync(file).size, 0) / megabyte;
  // What anybody does who reads such a file line by line.
  const parsing = await seconds(async () => {
    for (const file of files) {
      for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
    }
  });
  const taken = run('take');
  const plain = run('takePlain');
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
      measured: `${taken.memory.toFixed(0)} MB (${taken.before.toFixed(0)} MB before)`,
      goal: 'below 300 MB',
    },
    {
      what: 'disk for each MB of conversations',
      measured: times(taken.megabytes / written),
      goal: 'below 0.4x',
    },
  ]);
}

if (second === 'take' || second === 'takePlain') {
  writeFileSync(stepFile, JSON.stringify(await take(second === 'take')));
} else {
  await compare(second);
}
