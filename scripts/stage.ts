import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';

/**
 * Makes a folder of what the package holds, so that what is tried is what is installed. The bundles
 * are built anew, and `dist/` stays as it is.
 */
export const stageExtension = async (root: string, folder: string): Promise<void> => {
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  for (const file of files.filter((name) => !name.startsWith('dist'))) {
    cpSync(path.join(root, file), path.join(folder, file));
  }
  const outdir = path.join(folder, 'dist');
  execFileSync(process.execPath, ['esbuild.mjs', '--outdir', outdir], {
    cwd: root,
    stdio: 'inherit',
  });
};
