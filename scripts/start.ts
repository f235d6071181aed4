// Builds Keepthread and opens a real VS Code with it, on a copy of the sample workspace.
// Usage: npm start [-- --demo]
// With --demo nobody needs to be there: it works, saves, kills the window, and has everything brought back.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { playDemo } from './demo/demo.js';
import { makeSample } from './sample.js';
import { findCode, openDesktop } from './vscode/desktop.js';
import { environmentOf } from './vscode/home.js';
import { installServer } from './vscode/install.js';
import { addressOf, freePort, startServer } from './vscode/server.js';
import { writeSettings } from './vscode/userData.js';

const root = path.join(import.meta.dirname, '..');

/** Where everything of one start lies. */
interface Place {
  readonly scratch: string;
  readonly home: string;
  readonly workspace: string;
}

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } });
  const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'keepthread-')));
  process.once('exit', () => {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  if (values.demo) return (await playDemo(root, scratch)) ? 0 : 1;

  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
  const home = path.join(scratch, 'home');
  const { folder: workspace } = makeSample(path.join(scratch, 'todo-api'), home);
  const place = { scratch, home, workspace };
  const code = findCode();
  return code === undefined ? serve(place) : openCode(code, place);
};

const openCode = (executable: string, { scratch, home, workspace }: Place): Promise<number> => {
  const data = path.join(scratch, 'data');
  writeSettings(data);
  console.log('Opening VS Code. Close its window, or press Ctrl-C here, to end.');
  const env = environmentOf(home);
  return openDesktop({ executable, data, workspace, extensions: [root], env }).ended;
};

const serve = async ({ scratch, home, workspace }: Place): Promise<number> => {
  const install = installServer(root);
  const data = path.join(scratch, 'data');
  writeSettings(path.join(data, 'data'));
  const port = await freePort();
  const server = await startServer({ install, data, port, env: environmentOf(home) });
  const url = addressOf(server, { workspace, extensions: [root] });
  console.log(`VS Code with Keepthread: ${url}`);
  console.log(
    showInBrowser(url)
      ? 'It opens in your browser. Press Ctrl-C to end.'
      : 'Open the address in a browser on this machine. Press Ctrl-C to end.',
  );
  return new Promise((resolve) => {
    server.process.once('exit', (exitCode) => {
      resolve(exitCode ?? 1);
    });
  });
};

/** False where no browser can be shown. */
const showInBrowser = (url: string): boolean => {
  const { platform, env } = process;
  if (env['CI']) return false;
  const open = (command: string, ...args: readonly string[]): boolean => {
    spawn(command, [...args, url], { stdio: 'ignore', detached: true }).unref();
    return true;
  };
  if (platform === 'darwin') return open('open');
  if (platform === 'win32') return open('rundll32', 'url.dll,FileProtocolHandler');
  const screen = env['DISPLAY'] ?? env['WAYLAND_DISPLAY'];
  const available = spawnSync('which', ['xdg-open'], { stdio: 'ignore' }).status === 0;
  return screen !== undefined && available && open('xdg-open');
};

process.exitCode = await main();
