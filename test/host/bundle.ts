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

export interface HostSources {
  readonly root: string;
  /** Folder with `*.host.ts` files, below the root. */
  readonly folder: string;
  /** Takes the files whose names hold one of the words; none: all of them. */
  readonly words: readonly string[];
}

/** Bundles the code that runs inside the extension host. */
export const bundleTests = async ({ root, folder, words }: HostSources): Promise<HostBundles> => {
  const outdir = path.join(root, '.vscode-test', 'host');
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.host.ts'))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
    .map((name) => path.join(folder, name))
    .sort();
  const entry = path.join('test', 'host', 'index.ts');
  await build({
    absWorkingDir: root,
    entryPoints: [entry, ...files],
    outbase: root,
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
  const bundled = (file: string): string => path.join(outdir, file.replace(/\.ts$/, '.mjs'));
  const suites = files.map(bundled);
  return {
    entry: bundled(entry),
    sameWindow: suites.filter((file) => !file.endsWith('.reopen.host.mjs')),
    reopen: suites.filter((file) => file.endsWith('.reopen.host.mjs')),
  };
};
