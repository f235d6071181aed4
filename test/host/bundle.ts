import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

export interface HostBundles {
  /** Module that VS Code runs. */
  readonly entry: string;
  /** Suites that share one window. */
  readonly sameWindow: readonly string[];
  /** Suites of several windows, one after the other. */
  readonly reopen: readonly string[];
}

/** Bundles the host tests whose names hold one of the words, or all of them. */
export const bundleTests = async (root: string, words: readonly string[]): Promise<HostBundles> => {
  const source = path.join(root, 'test', 'host');
  const outdir = path.join(root, '.vscode-test', 'host');
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.host.ts'))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
    .sort();
  await build({
    entryPoints: ['index.ts', ...names].map((name) => path.join(source, name)),
    outbase: source,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node22',
    packages: 'external',
    external: ['vscode'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const bundled = names.map((name) => path.join(outdir, name.replace(/\.ts$/, '.mjs')));
  return {
    entry: path.join(outdir, 'index.mjs'),
    sameWindow: bundled.filter((file) => !file.endsWith('.reopen.host.mjs')),
    reopen: bundled.filter((file) => file.endsWith('.reopen.host.mjs')),
  };
};
