// Runs the host suite in a real VS Code.
// Usage: npm run test:host [-- PART_OF_A_FILE_NAME ...] [--verbose] [--keep]
// KEEPTHREAD_HOST=desktop|server chooses the VS Code: a downloaded one, or the server build from npm.
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stageExtension } from '../../scripts/stage.js';
import type { Totals } from '../../scripts/totals.js';
import { writeTotals } from '../../scripts/totals.js';
import { bundleTests } from './bundle.js';
import { chooseEditor } from './editor.js';
import { removeFolder, runSuite } from './suite.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    /** Leaves the folders of all windows for a look. */
    keep: { type: 'boolean', default: false },
  },
});
const root = path.join(import.meta.dirname, '..', '..');
const { entry, sameWindow, reopen } = await bundleTests({
  root,
  folder: path.join('test', 'host'),
  words: positionals,
});
const editor = await chooseEditor(root, values);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'keepthread-host-'));
const extension = path.join(scratch, 'extension');
const extensions = [extension, path.join(import.meta.dirname, 'chatExtension')];
process.once('exit', () => {
  if (!values.keep) removeFolder(scratch);
});
stageExtension(root, extension);
console.log(`Host suite in a real VS Code (${editor.name}).`);

const suites = [
  ...(sameWindow.length > 0 ? [{ files: sameWindow, reopens: false }] : []),
  ...reopen.map((file) => ({ files: [file], reopens: true })),
];
let totals: Totals = { passed: 0, failed: 0, skipped: 0 };
for (const [index, suite] of suites.entries()) {
  const folder = path.join(scratch, String(index));
  const result = await runSuite({ ...suite, extensions, entry, folder }, editor);
  totals = {
    passed: totals.passed + result.passed,
    failed: totals.failed + result.failed,
    skipped: totals.skipped + result.skipped,
  };
}
if (values.keep) console.log(`Kept: ${scratch}`);
writeTotals('host', totals);
console.log(`host suite: ${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
