/** @import { BuildOptions, Plugin } from 'esbuild' */

// Bundled CommonJS packages still ask for Node.js modules with require, and sql.js for __dirname.
const commonJsBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;";

/**
 * zod re-exports its messages in 50 languages, which makes every bundle 260 KB larger; English is
 * imported by zod's own core, and nothing here uses another.
 *
 * @type {Plugin}
 */
const leaveOutLanguages = {
  name: 'leave-out-languages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, path }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path, namespace: 'no-languages' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-languages' }, () => ({ contents: 'export {}' }));
  },
};

/** @type {BuildOptions} */
const common = {
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  banner: { js: commonJsBanner },
  plugins: [leaveOutLanguages],
};

/**
 * What is built: the extension, and what runs without VS Code: the worker, the process that reads other
 * programs' databases, the tokenizer, and the command line. Each of the two is split, so that what is used
 * seldom is loaded when it is asked for, and what several use is there once. The second's parts lie beside its
 * entries, where they look for the files that they come with.
 *
 * @type {readonly BuildOptions[]}
 */
export const bundles = [
  {
    ...common,
    entryPoints: { extension: 'src/extension/extension.ts' },
    external: ['vscode'],
    target: 'node22',
    chunkNames: 'chunks/[name]-[hash]',
  },
  {
    ...common,
    entryPoints: {
      worker: 'src/library/worker.ts',
      readerProcess: 'src/agents/sqlite/readerProcess.ts',
      tokenizer: 'src/library/tokenizer.ts',
      cli: 'src/cli/main.ts',
    },
    target: 'node20',
    chunkNames: 'part-[name]-[hash]',
  },
];
