// The long lane of the fault suite; its figures are in docs/reliability.md. Usage: npm run test:faults
import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
const begin = performance.now();
const { status } = spawnSync(
  process.execPath,
  [mocha, '--config', 'test/faults/.mocharc.json', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, KEEPTHREAD_FAULTS: 'long' } },
);
const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
const memory = (totalmem() / 2 ** 30).toFixed(0);
console.log(
  `${minutes} minutes, Node.js ${process.versions.node}, ${process.platform}, ${cpus().length} cores, ${memory} GB`,
);
process.exitCode = status ?? 1;
