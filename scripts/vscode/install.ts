import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeServerLogs } from './serverLogs.js';

/**
 * A real VS Code that needs nothing but npm: the package `code-server` carries the workbench and the
 * extension host of VS Code 1.139.1, `node-<platform>-<arch>` the Node.js that this build wants, and on
 * Linux x64 `@sparticuz/chromium` a browser. No install script is run.
 */
const packages: Readonly<Record<string, string>> = {
  'code-server': '4.139.1',
  [nodePackage()]: '^24.22.0',
  ...(bringsBrowser() ? { '@sparticuz/chromium': '147.0.0' } : {}),
};

export interface ServerInstall {
  readonly node: string;
  readonly serverMain: string;
  /** Absent where no package carries a browser: an installed one is used then. */
  readonly browser?: BrowserInstall | undefined;
}

export interface BrowserInstall {
  readonly executable: string;
  /** Libraries and fonts that a bare machine lacks. */
  readonly libraries: string;
  readonly fonts: string;
}

/** Installs into `.vscode-test/server` unless it is there already: half a minute and 900 MB, once. */
export const installServer = (root: string): ServerInstall => {
  const dir = path.join(root, '.vscode-test', 'server');
  const done = path.join(dir, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted) {
    console.log('Installing a VS Code server into .vscode-test/server (once, about 900 MB) ...');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      path.join(dir, 'package.json'),
      JSON.stringify({ private: true, dependencies: packages }),
    );
    npmInstall(dir);
    npmInstall(path.join(dir, 'node_modules/code-server/lib/vscode'), '--omit=dev');
    if (bringsBrowser()) unpackBrowser(dir);
    writeFileSync(done, wanted);
  }
  writeServerLogs(path.join(dir, 'node_modules/code-server/lib/vscode'));
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const unpacked = path.join(dir, 'browser');
  return {
    node: path.join(dir, 'node_modules', nodePackage(), binary),
    serverMain: path.join(dir, 'node_modules/code-server/lib/vscode/out/server-main.js'),
    browser: bringsBrowser()
      ? {
          executable: path.join(unpacked, 'chromium'),
          libraries: path.join(unpacked, 'al2023', 'lib'),
          fonts: path.join(unpacked, 'fonts'),
        }
      : undefined,
  };
};

function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${platform}-${process.arch}`;
}

function bringsBrowser(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

// --force: these packages name other versions of Node.js than the one that runs npm.
const npmInstall = (cwd: string, ...options: readonly string[]): void => {
  const args = ['install', '--ignore-scripts', '--force', '--no-audit', '--no-fund'];
  run('npm', [...args, '--loglevel=error', ...options], { cwd });
};

/** The package unpacks into the temp folder that it finds, and thinks it needs its libraries on AWS only. */
const unpackBrowser = (dir: string): void => {
  const target = path.join(dir, 'browser');
  mkdirSync(target, { recursive: true });
  const script = "import('@sparticuz/chromium').then((m) => m.default.executablePath())";
  run(process.execPath, ['--eval', script], {
    cwd: dir,
    env: { ...process.env, TMPDIR: target, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  });
};

const run = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): void => {
  // npm is a script on Windows, which only a shell can start; every argument here is a constant.
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, { ...options, shell, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(status)}`);
};
