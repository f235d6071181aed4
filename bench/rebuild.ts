// Building the database anew from 1 GB of packs. Usage: rebuild.ts SCRATCH FIGURES (with a home of its own)
import { createReadStream, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createEngine } from '../src/library/engine.js';
import { times, writeFigures } from './figures.js';
import { folderBytes, openRequest, silent, wasm } from './project.js';
import { writeTranscripts } from './transcripts.js';

const gigabyte = 1024 ** 3;
const [scratch = '', figures = ''] = process.argv.slice(2);
const view = path.join(scratch, 'view');
const plain = openRequest(scratch);
// Without looking for secrets, which is not what is measured.
const request = { ...plain, view, settings: { ...plain.settings, redact: false } };
const cwd = new URL(request.folders[0]?.uri ?? '').pathname;
await writeTranscripts({ home: os.homedir(), cwd, files: 250, bytes: gigabyte });

const seconds = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
};
const filling = createEngine({ wasm, events: silent });
await filling.open(request);
await filling.scanThreads();
await filling.close();

const openAll = async (): Promise<void> => {
  const engine = createEngine({ wasm, events: silent, aheadBytes: Infinity });
  await engine.open(request);
  if ((await engine.listThreads(null)).length !== 250) throw new Error('The list is not whole.');
  await engine.close();
};
const readAll = async (): Promise<void> => {
  for (const name of await readdir(request.store, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) {
      await pipeline(createReadStream(path.join(name.parentPath, name.name)), nowhere());
    }
  }
};
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const known = await seconds(openAll);
const reading = await seconds(readAll);
rmSync(view, { recursive: true });
const rebuilding = await seconds(openAll);
const stored = folderBytes(request.store) / gigabyte;
writeFigures(figures, [
  {
    what: 'building the database anew, for each GB of conversations, against reading the packs alone',
    measured: `${rebuilding.toFixed(1)} s (${times(rebuilding / reading)} of ${reading.toFixed(1)} s for ${stored.toFixed(2)} GB of packs)`,
    goal: '',
  },
  { what: 'opening it when it is there', measured: `${known.toFixed(2)} s`, goal: '' },
]);
