// Bundles the extension (ESM, split so that activation loads little), the worker and the command line into dist/.
// Usage: node esbuild.mjs [--watch] [--meta]
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const watch = process.argv.includes('--watch');
const meta = process.argv.includes('--meta');

// Bundled CommonJS packages still ask for Node.js modules with require.
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  minify: !watch,
  sourcemap: watch,
  outdir: 'dist',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  banner: { js: requireBanner },
};

const targets = [
  {
    ...common,
    entryPoints: { extension: 'src/extension/extension.ts' },
    external: ['vscode'],
    target: 'node22',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  },
  { ...common, entryPoints: { worker: 'src/library/worker.ts' }, target: 'node20' },
  { ...common, entryPoints: { cli: 'src/cli/main.ts' }, target: 'node20' },
];

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');
for (const target of targets) {
  if (watch) {
    await (await context(target)).watch();
    continue;
  }
  const result = await build(target);
  if (meta) {
    const name = Object.keys(target.entryPoints)[0];
    writeFileSync(`dist/${name}.meta.json`, JSON.stringify(result.metafile));
  }
}
