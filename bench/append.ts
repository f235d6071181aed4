// An acknowledged save of one 4 KB turn against a bare append and fdatasync of the same bytes, by turns in
// one run, with an empty vault and with 1 GB in it. Usage: append.ts SCRATCH FIGURES
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { BatchHeader } from '../src/core/model/records.js';
import type { Project } from '../src/library/openProject.js';
import { openProject } from '../src/library/openProject.js';
import type { Store } from '../src/library/store.js';
import { encodeBatch } from '../src/vault/batch.js';
import { FrameType } from '../src/vault/types.js';
import { openVault } from '../src/vault/vault.js';
import type { Figure } from './figures.js';
import { median, milliseconds, times, writeFigures } from './figures.js';
import { folderBytes, openRequest, prose, wasm } from './project.js';

const rounds = 500;
const gigabyte = 1024 ** 3;
const [scratch = '', figures = ''] = process.argv.slice(2);
const request = openRequest(scratch);

const turn = (bytes: number): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ type: 'user', message: { content: prose(bytes) } }));

const headOf = (thread: string, first: number, count: number): BatchHeader => {
  const records = first + count;
  const cursor = {
    path: '/bench.jsonl',
    generation: 0,
    offset: records * 4096,
    records,
    state: {},
  };
  return { schemaVersion: 1, thread, generation: 0, first, count, cursor };
};

let kept = 0;
const append = async (store: Store, records: readonly Uint8Array[]): Promise<void> => {
  const head = headOf('claude-code:bench', kept, records.length);
  kept += records.length;
  await store.appendRecords(records, head);
};

interface Compared {
  /** Written and synced by the vault: from here on the turn is safe. */
  readonly saved: number;
  /** In the index too: from here on lists show it. */
  readonly listed: number;
  readonly bare: number;
}

const compare = async ({ store, vaultFolders }: Project): Promise<Compared> => {
  const vault = await openVault({ folder: vaultFolders[0] ?? '' });
  const file = await open(path.join(scratch, 'bare'), 'a');
  const samples = { saved: [] as number[], listed: [] as number[], bare: [] as number[] };
  const timed = async (into: number[], run: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await run();
    into.push(performance.now() - start);
  };
  for (let round = 0; round < rounds; round += 1) {
    const record = turn(4096);
    await timed(samples.saved, () => {
      const payload = encodeBatch(headOf('claude-code:alone', round, 1), [record]);
      return vault.append([{ type: FrameType.records, payload }]);
    });
    await timed(samples.bare, async () => {
      await file.write(record);
      await file.datasync();
    });
    await timed(samples.listed, () => append(store, [record]));
  }
  await file.close();
  await vault.close();
  return {
    saved: median(samples.saved),
    listed: median(samples.listed),
    bare: median(samples.bare),
  };
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
const empty = await compare(before);
await fill(before.store, request.store);
await before.store.close();
const after = await openProject(request, wasm);
const full = await compare(after);
await after.store.close();

const rows = ({ saved, listed, bare }: Compared, where: string): readonly Figure[] => {
  const said = (time: number): string =>
    `${times(time / bare)} (${milliseconds(time)} against ${milliseconds(bare)}, p50 of ${rounds})`;
  const what = `4 KB turn against a bare append and fdatasync, ${where}`;
  return [
    { what: `acknowledged save of a ${what}`, measured: said(saved), goal: 'below 2x' },
    { what: `until lists show it too: a ${what}`, measured: said(listed), goal: '' },
  ];
};
const growth = full.saved / full.bare / (empty.saved / empty.bare);
writeFigures(figures, [
  ...rows(empty, 'empty vault'),
  ...rows(full, `${(folderBytes(request.store) / gigabyte).toFixed(2)} GB in the vault`),
  {
    what: 'ratio of acknowledged saves with 1 GB against that with an empty vault',
    measured: times(growth),
    goal: 'below 1.3x',
  },
]);
