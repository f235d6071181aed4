// The list of 10,000 sessions: its first rows, from catalog.json, and all of it, from the database.
// Usage: list.ts SCRATCH FIGURES (with a home of its own)
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createEngine } from '../src/library/engine.js';
import { openProject } from '../src/library/openProject.js';
import { readCatalog } from '../src/vault/catalog.js';
import { median, milliseconds, times, writeFigures } from './figures.js';
import { openRequest, prose, silent, wasm } from './project.js';

const sessions = 10_000;
const rounds = 9;
const [scratch = '', figures = ''] = process.argv.slice(2);
const request = { ...openRequest(scratch), view: path.join(scratch, 'view') };

const { store } = await openProject(request, wasm);
for (let at = 0; at < sessions; at += 1) {
  const set = { title: prose(40), goal: prose(80), status: 'paused' as const, tags: [] };
  await store.appendSession({ schemaVersion: 1, sessionId: randomUUID(), at, set });
}
await store.close();

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    samples.push(performance.now() - start);
  }
  return median(samples);
};
const load = async (): Promise<void> => {
  const engine = createEngine({ wasm, events: silent });
  await engine.open(request);
  const listed = await engine.listSessions();
  if (listed.length !== sessions) throw new Error('The list is not whole.');
  await engine.close();
};
const rebuilt = await timed(load);
const file = path.join(request.view, 'catalog.json');
const bare = await timed(() => Promise.resolve(JSON.parse(readFileSync(file, 'utf8'))));
const first = await timed(async () => {
  const { catalog } = await readCatalog(file);
  if (catalog?.sessions.length !== sessions) throw new Error('The list is not whole.');
});
writeFigures(figures, [
  {
    what: `first rows of a list of ${sessions.toLocaleString('en-US')} sessions, against reading and parsing the file alone`,
    measured: `${milliseconds(first)} (${times(first / bare)} of ${milliseconds(bare)})`,
    goal: 'below 20 ms',
  },
  { what: 'all of it, engine and database included', measured: milliseconds(rebuilt), goal: '' },
]);
