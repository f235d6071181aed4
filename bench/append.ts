// An acknowledged save of one 4 KB turn against a bare append and fdatasync of the same bytes, by turns in
// one run, with an empty vault and with 1 GB in it. Usage: append.ts SCRATCH FIGURES
import { open } from 'node:fs/promises';
import path from 'node:path';
import { openProject } from '../src/library/openProject.js';
import type { Store } from '../src/library/store.js';
import { median, milliseconds, times, writeFigures } from './figures.js';
import { folderBytes, openRequest, prose, wasm } from './project.js';

const rounds = 500;
const gigabyte = 1024 ** 3;
const [scratch = '', figures = ''] = process.argv.slice(2);
const request = openRequest(scratch);

const turn = (bytes: number): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ type: 'user', message: { content: prose(bytes) } }));

let kept = 0;
const append = async (store: Store, records: readonly Uint8Array[]): Promise<void> => {
  const first = kept;
  kept += records.length;
  await store.appendRecords(records, {
    schemaVersion: 1,
    thread: 'claude-code:bench',
    generation: 0,
    first,
    count: records.length,
    cursor: {
      path: '/bench.jsonl',
      generation: 0,
      offset: kept * 4096,
      records: kept,
      state: {},
    },
  });
};

interface Compared {
  readonly saved: number;
  readonly bare: number;
}

const compare = async (store: Store): Promise<Compared> => {
  const file = await open(path.join(scratch, 'bare'), 'a');
  const saved: number[] = [];
  const bare: number[] = [];
  const timed = async (into: number[], run: () => Promise<void>): Promise<void> => {
    const start = performance.now();
    await run();
    into.push(performance.now() - start);
  };
  for (let round = 0; round < rounds; round += 1) {
    const record = turn(4096);
    await timed(saved, () => append(store, [record]));
    await timed(bare, async () => {
      await file.write(record);
      await file.datasync();
    });
  }
  await file.close();
  return { saved: median(saved), bare: median(bare) };
};

const fill = async (store: Store, folder: string): Promise<void> => {
  const batch = Array.from({ length: 256 }, () => turn(4096));
  while (folderBytes(folder) < gigabyte) {
    // Other bytes each time, without the cost of new words for each.
    batch.sort(() => Math.random() - 0.5);
    await append(store, batch);
  }
};

const before = await openProject(request, wasm);
const empty = await compare(before.store);
await fill(before.store, request.store);
await before.store.close();
const after = await openProject(request, wasm);
const full = await compare(after.store);
await after.store.close();

const ratio = (compared: Compared): number => compared.saved / compared.bare;
const said = (compared: Compared): string =>
  `${times(ratio(compared))} (${milliseconds(compared.saved)} against ${milliseconds(compared.bare)}, p50 of ${rounds})`;
writeFigures(figures, [
  {
    what: 'acknowledged save of a 4 KB turn against a bare append and fdatasync, empty vault',
    measured: said(empty),
    goal: 'below 2x',
  },
  {
    what: `the same with ${(folderBytes(request.store) / gigabyte).toFixed(2)} GB in the vault`,
    measured: said(full),
    goal: 'below 2x',
  },
  {
    what: 'ratio with 1 GB against ratio with an empty vault',
    measured: times(ratio(full) / ratio(empty)),
    goal: 'below 1.3x',
  },
]);
