import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder of what the package holds, so that what is tried is what is installed. The bundles
 * are built anew, and `dist/` stays as it is.
 */
export const stageExtension = (root: string, folder: string): void => {
  // Asking vsce for the list would take many seconds: it looks at every file below the root.
  const kept = readFileSync(path.join(root, '.vscodeignore'), 'utf8').matchAll(/^!([^*\n]+)/gm);
  for (const [, name = ''] of kept) {
    if (name === 'dist/') continue;
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  const outdir = path.join(folder, 'dist');
  execFileSync(process.execPath, ['esbuild.mjs', '--outdir', outdir], {
    cwd: root,
    stdio: 'inherit',
  });
};
