import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerInstall } from './install.js';
import { start, stop } from './processes.js';

export interface ServerOptions {
  readonly install: ServerInstall;
  /** Folder for the server's user data; the same one again is what a reopened window sees. */
  readonly data: string;
  /** The browser keeps its storage by origin, so reopening wants the same port. */
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly verbose?: boolean;
}

export interface Server {
  readonly process: ChildProcess;
  readonly port: number;
  /** Whoever connects has to know it: a window can start shells. */
  readonly token: string;
  /** Ends the server and its extension hosts. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

export interface Address {
  /** A folder, a workspace file, or the URI of one that has no file yet; empty: none. */
  readonly workspace: string;
  /** Folders of extensions: the first is under development, the others are installed. */
  readonly extensions: readonly string[];
  /** Module that exports `run()`, run inside the extension host. */
  readonly tests?: string | undefined;
}

/** Lays extensions where a server finds them when it first starts on its data. */
export const installExtensions = (data: string, folders: readonly string[]): void => {
  for (const folder of folders) {
    cpSync(folder, path.join(data, 'extensions', path.basename(folder)), { recursive: true });
  }
};

export const startServer = async (options: ServerOptions): Promise<Server> => {
  mkdirSync(options.data, { recursive: true });
  const { node, serverMain } = options.install;
  const token = randomBytes(16).toString('hex');
  const tokenFile = path.join(options.data, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = [
    ...[serverMain, '--host', '127.0.0.1', '--port', String(options.port)],
    ...['--connection-token-file', tokenFile, '--accept-server-license-terms'],
    ...['--server-data-dir', options.data, '--disable-workspace-trust', '--telemetry-level', 'off'],
    // Without it a built VS Code ignores extensionDevelopmentPath and extensionTestsPath.
    '--enable-smoke-test-driver',
  ];
  for (let tries = 1; ; tries += 1) {
    const child = start(node, args, { stdio: ['ignore', 'pipe', 'pipe'], env: options.env });
    const { listens, said } = await untilListening(child, options.verbose === true);
    if (listens) {
      return { process: child, port: options.port, token, stop: (signal) => stop(child, signal) };
    }
    await stop(child, 'SIGKILL');
    // Another program may hold the port for a moment, such as the server that has just been ended.
    if (!isTaken(said) || tries === MOST_TRIES) {
      throw new Error(`The VS Code server does not listen.\n${said}`);
    }
    await wait(1_000);
  }
};

const MOST_TRIES = 60;

const isTaken = (said: string): boolean => said.includes('EADDRINUSE');

/** What a server said until it listened, or until it ended without. */
const untilListening = (
  child: ChildProcess,
  verbose: boolean,
): Promise<{ readonly listens: boolean; readonly said: string }> =>
  new Promise((resolve, reject) => {
    let said = '';
    const see = (chunk: Buffer): void => {
      if (verbose) process.stderr.write(chunk);
      said = (said + chunk.toString()).slice(-10_000);
      // It says that it has started also where it cannot listen, and before it does.
      const listens = said.includes('Extension host agent listening on');
      if (listens && said.includes('Extension host agent started')) resolve({ listens, said });
      if (isTaken(said)) resolve({ listens: false, said });
    };
    child.stdout?.on('data', see);
    child.stderr?.on('data', see);
    child.once('error', reject);
    child.once('close', () => resolve({ listens: false, said }));
  });

/** The address that opens a window on a workspace. */
export const addressOf = (
  { port, token }: Pick<Server, 'port' | 'token'>,
  { workspace, extensions, tests }: Address,
): string => {
  const remote = (file: string): string => `vscode-remote://127.0.0.1:${port}${uriPath(file)}`;
  // The workbench reads its payload into a map, so one extension under development is all that there can be.
  const payload = [
    ...extensions.slice(0, 1).map((folder) => ['extensionDevelopmentPath', remote(folder)]),
    ...(tests === undefined ? [] : [['extensionTestsPath', remote(tests)]]),
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  const query = new URLSearchParams({
    tkn: token,
    ...placeOf(workspace),
    payload: JSON.stringify(payload),
  });
  return `http://127.0.0.1:${port}/?${query.toString()}`;
};

/** The parameter that names what is open. */
const placeOf = (workspace: string): Readonly<Record<string, string>> => {
  if (workspace === '') return { ew: 'true' };
  if (/^[a-z-]{2,}:/.test(workspace)) return { workspace };
  return { [workspace.endsWith('.code-workspace') ? 'workspace' : 'folder']: uriPath(workspace) };
};

const uriPath = (file: string): string => {
  const slashes = file.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
};

/**
 * A port that nobody listens at. It is none of those that systems give to connections by themselves (from 32768 on
 * Linux, from 49152 elsewhere): a window that comes again at its port would find it taken.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
