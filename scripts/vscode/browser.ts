import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { chromium } from 'playwright-core';
import type { BrowserInstall } from './install.js';

/** How long a page may take to show what is waited for: a slow and busy machine needs a minute to begin. */
export const PATIENCE_MS = 180_000;

/**
 * Opens a headless browser whose storage lies in `profile`.
 *
 * @param installed what the server's installation brought; `CHROMIUM` in the environment goes first.
 */
export const openBrowser = async (
  profile: string,
  installed: BrowserInstall | undefined,
): Promise<BrowserContext> => {
  const own = process.env['CHROMIUM'];
  const bundled = own === undefined ? installed : undefined;
  const executable = own ?? bundled?.executable ?? findInstalled();
  if (executable === undefined) {
    throw new Error('No Chrome, Edge or Chromium was found. Name one in the variable CHROMIUM.');
  }
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable,
    timeout: PATIENCE_MS,
    headless: true,
    viewport: { width: 1400, height: 900 },
    ...(bundled ? { env: bareMachine(bundled) } : {}),
    args: [
      ...(process.platform === 'linux' ? ['--no-sandbox'] : []), // root and containers have none
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
};

/** Lends the libraries and fonts that came with the browser where the machine has none. */
const bareMachine = (browser: BrowserInstall): Record<string, string> => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const starts = spawnSync(browser.executable, ['--version'], { stdio: 'ignore' }).status === 0;
  const before = env['LD_LIBRARY_PATH'];
  return {
    ...env,
    ...(starts
      ? {}
      : { LD_LIBRARY_PATH: before ? `${browser.libraries}:${before}` : browser.libraries }),
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: browser.fonts }),
  };
};

const findInstalled = (): string | undefined => {
  const { env } = process;
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
  const onPath = (env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => [...names, 'microsoft-edge'].map((name) => path.join(folder, name)));
  const programs = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      path.join(folder, 'Google/Chrome/Application/chrome.exe'),
      path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ]);
  const applications = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return [...onPath, ...programs, ...applications].find((file) => existsSync(file));
};
