// Measures the figures of docs/bench.md and writes them there: all of them, or those that are named.
// Usage: npm run bench [-- NAME...] [-- --print], which only prints; [-- --mb 100,1000] for search and ingest
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { stageExtension } from '../scripts/stage.js';
import { environmentOf } from '../scripts/vscode/home.js';
import { bundleTests } from '../test/host/bundle.js';
import { chooseEditor } from '../test/host/editor.js';
import { removeFolder, runSuite } from '../test/host/suite.js';
import type { Figure } from './figures.js';
import { median, milliseconds, readFigures } from './figures.js';
import { tableOf, writeSection } from './report.js';

const root = path.join(import.meta.dirname, '..');
const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'keepthread-bench-')));
process.once('exit', () => {
  removeFolder(scratch);
});

/** Runs one of the measuring scripts in a process and with a home of its own. */
const runScript = (name: string, ...more: readonly string[]): Promise<readonly Figure[]> => {
  const folder = path.join(scratch, name);
  mkdirSync(folder);
  const figures = path.join(folder, 'figures.json');
  const script = path.join(import.meta.dirname, `${name}.ts`);
  execFileSync(process.execPath, ['--import', 'tsx', script, folder, figures, ...more], {
    cwd: root,
    stdio: 'inherit',
    env: environmentOf(path.join(folder, 'home')),
  });
  const measured = readFigures(figures);
  removeFolder(folder);
  return Promise.resolve(measured);
};

/** Runs a measuring suite inside a real extension host. */
const runInHost = async (name: string): Promise<readonly Figure[]> => {
  const words = [name];
  const { entry, reopen } = await bundleTests({ root, folder: path.join('bench', 'host'), words });
  const extension = path.join(scratch, 'extension');
  const editor = await chooseEditor(root, { verbose: false });
  const folder = path.join(scratch, `host-${name}`);
  const suite = { entry, files: reopen, reopens: true, folder, extensions: [extension] };
  const { failed } = await runSuite(suite, editor);
  if (failed > 0) throw new Error(`${name} could not be measured.`);
  return readFigures(path.join(folder, 'scratch', `${name}.json`));
};

const activation = async (): Promise<Figure> => {
  const samples = (await runInHost('activation')).map(({ measured }) => Number(measured));
  return {
    what: 'own time in `activate()` with 1,000 sessions in the store',
    measured: `${milliseconds(median(samples))} (median of ${samples.length} windows, at most ${milliseconds(Math.max(...samples))})`,
    goal: 'below 20 ms',
  };
};

const packageSize = async (): Promise<Figure> => {
  const packagePath = path.join(scratch, 'keepthread.vsix');
  await createVSIX({ cwd: root, dependencies: false, packagePath });
  const size = statSync(packagePath).size / 1024 ** 2;
  return { what: 'size of the `.vsix`', measured: `${size.toFixed(2)} MB`, goal: 'below 2 MB' };
};

const measures: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  activation: async () => [await activation()],
  saves: () => runScript('saves'),
  ingest: async () => [
    ...(await runScript('ingest', ...(values.mb?.split(',').slice(0, 1) ?? []))),
    ...(await runInHost('ingest')),
  ],
  list: () => runScript('list'),
  rebuild: () => runScript('rebuild'),
  peers: () => runScript('peers'),
  pause: () => runInHost('pause'),
  convert: () => runScript('convert'),
  growth: () => runScript('growth'),
  redact: () => runScript('redact'),
  handoff: () => runScript('handoff'),
  search: async () => {
    const sizes = (values.mb ?? '100').split(',');
    const measured = [];
    for (const size of sizes) measured.push(...(await runScript('search', size)));
    return measured;
  },
  package: async () => [await packageSize()],
};
/** Names that stand for several. */
const groups: Readonly<Record<string, readonly string[]>> = {
  vault: ['saves', 'ingest', 'list', 'rebuild', 'peers'],
};
const { values, positionals } = parseArgs({
  options: {
    print: { type: 'boolean', default: false },
    // Sizes that searching is measured at, and taking in at the first of them.
    mb: { type: 'string' },
  },
  allowPositionals: true,
});
const names = positionals.flatMap((name) => groups[name] ?? [name]);
const unknown = names.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0) {
  throw new Error(`There is no ${unknown.join(', ')}, but ${Object.keys(measures).join(', ')}.`);
}

stageExtension(root, path.join(scratch, 'extension'));
for (const [name, measure] of Object.entries(measures)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const figures = await measure();
  console.log(`${name}\n${tableOf(figures)}`);
  if (!values.print) writeSection(path.join(root, 'docs', 'bench.md'), name, figures);
}
