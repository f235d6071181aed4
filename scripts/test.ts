// The whole check: build, types, lint, then every suite. Ends with one line that sums the suites.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { clearTotals, sumTotals } from './totals.js';

const root = path.join(import.meta.dirname, '..');

const npmRun = (script: string): boolean => {
  console.log(`\n> ${script}`);
  // npm is a script on Windows, which only a shell can start; the names are constants.
  const shell = process.platform === 'win32';
  return (
    spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit', shell }).status ===
    0
  );
};

clearTotals();
const checked = ['build', 'typecheck', 'lint'].every(npmRun);
const suites = [
  'test:unit',
  'test:faults:fast',
  ...(existsSync(path.join(root, 'test/agents')) ? ['test:agents'] : []),
  'test:browser',
  'test:host',
];
const passed = checked && suites.map(npmRun).every(Boolean);
const totals = sumTotals();
// A check that failed, or a suite that died before it could count, is a failure too.
const failed = Math.max(totals.failed, passed ? 0 : 1);
console.log(`\n${totals.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
