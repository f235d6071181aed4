// Bundles the extension, the worker and the command line into dist/. Usage: node esbuild.mjs [--watch]
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bundles } from './scripts/bundles.mjs';

const require = createRequire(import.meta.url);
const watch = process.argv.includes('--watch');

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');
for (const bundle of bundles) {
  if (watch) await (await context({ ...bundle, minify: false, sourcemap: true })).watch();
  else await build(bundle);
}
