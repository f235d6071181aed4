import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { start, stop } from './processes.js';

export interface DesktopOptions {
  readonly executable: string;
  /** Given to `--user-data-dir`. */
  readonly data: string;
  readonly workspace: string;
  readonly extensions: readonly string[];
  readonly tests?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface DesktopWindow {
  /** Exit code of the window: that of the module named by `tests`. */
  readonly ended: Promise<number>;
  readonly kill: () => Promise<void>;
}

/** Opens an installed VS Code on data of its own. */
export const openDesktop = (options: DesktopOptions): DesktopWindow => {
  const child = start(
    options.executable,
    [
      options.workspace,
      ...options.extensions.map((folder) => `--extensionDevelopmentPath=${folder}`),
      ...(options.tests === undefined ? [] : [`--extensionTestsPath=${options.tests}`]),
      `--user-data-dir=${options.data}`,
      `--extensions-dir=${path.join(options.data, 'extensions')}`,
      ...['--disable-workspace-trust', '--disable-updates', '--disable-telemetry'],
      ...['--skip-welcome', '--skip-release-notes', '--no-sandbox', '--new-window', '--wait'],
    ],
    { stdio: 'ignore', env: options.env },
  );
  const ended = once(child, 'exit').then(([code]: unknown[]) =>
    typeof code === 'number' ? code : 1,
  );
  return { ended, kill: () => stop(child, 'SIGKILL') };
};

/** The `code` command, if there is one that starts. */
export const findCode = (): string | undefined => {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const found = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name));
  return found.find((file) => works(file));
};

const works = (file: string): boolean => {
  const shell = process.platform === 'win32';
  return (
    spawnSync(shell ? `"${file}"` : file, ['--version'], { stdio: 'ignore', shell }).status === 0
  );
};
