// An acknowledged save of one 4 KB turn against a bare append and fdatasync of the same bytes, by turns in
// one run, with vaults of several sizes. Usage: saves.ts SCRATCH FIGURES
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
import { freeBytes, median, milliseconds, percentile, times, writeFigures } from './figures.js';
import { folderBytes, openRequest, prose, wasm } from './project.js';

const rounds = 500;
const megabyte = 1024 ** 2;
const sizes = [0, 1, 100, 1024, 4096].map((size) => size * megabyte);
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
  /** Written and synced by the vault: from here on the turn is safe. Milliseconds, each round. */
  readonly saved: readonly number[];
  /** In the index too: from here on lists show it. */
  readonly listed: readonly number[];
  readonly bare: readonly number[];
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
  return samples;
};

const fill = async (store: Store, folder: string, bytes: number): Promise<void> => {
  const batch = Array.from({ length: 256 }, () => turn(4096));
  let missing = bytes - folderBytes(folder);
  while (missing > 0) {
    // Other bytes each time, without the cost of new words for each.
    batch.sort(() => Math.random() - 0.5);
    await append(store, batch);
    missing -= 256 * 4096;
  }
};

const rows = ({ saved, listed, bare }: Compared, where: string): readonly Figure[] => {
  const said = (all: readonly number[], share: number): string => {
    const [own, other] = [percentile(all, share), percentile(bare, share)];
    return `${times(own / other)} (${milliseconds(own)} against ${milliseconds(other)}, p${share * 100} of ${rounds})`;
  };
  const what = `4 KB turn against a bare append and fdatasync, ${where}`;
  return [
    { what: `acknowledged save of a ${what}`, measured: said(saved, 0.5), goal: 'below 2x' },
    { what: `the slowest in a hundred of those, ${where}`, measured: said(saved, 0.99), goal: '' },
    { what: `until lists show it too, ${where}`, measured: said(listed, 0.5), goal: '' },
  ];
};

const found: Figure[] = [];
let empty: number | undefined;
for (const size of sizes) {
  // The disk is somebody else's too.
  if (freeBytes(scratch) < 3 * size) {
    found.push({ what: `${size / megabyte} MB in the vault`, measured: 'no room', goal: '' });
    continue;
  }
  const filling = await openProject(request, wasm);
  await fill(filling.store, request.store, size);
  await filling.store.close();
  const project = await openProject(request, wasm);
  const compared = await compare(project);
  await project.store.close();
  const where = size === 0 ? 'empty vault' : `${size / megabyte} MB in the vault`;
  found.push(...rows(compared, where));
  const ratio = median(compared.saved) / median(compared.bare);
  empty ??= ratio;
  if (size > 0) {
    const what = `that with ${size / megabyte} MB against that with an empty vault`;
    found.push({ what, measured: times(ratio / empty), goal: 'below 1.3x' });
  }
}
writeFigures(figures, found);
