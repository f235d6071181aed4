// Bundles the extension, the worker and the command line.
// Usage: node esbuild.mjs [--watch] [--outdir DIR]
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundles } from './scripts/bundles.mjs';

const require = createRequire(import.meta.url);
const { watch, outdir } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    outdir: { type: 'string', default: 'dist' },
  },
}).values;

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(outdir, 'sql-wasm.wasm'));
for (const bundle of bundles) {
  if (watch) await (await context({ ...bundle, outdir, minify: false, sourcemap: true })).watch();
  else await build({ ...bundle, outdir });
}
