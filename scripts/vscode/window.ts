import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from './browser.js';
import type { Address, Server, ServerOptions } from './server.js';
import { addressOf, installExtensions, startServer } from './server.js';

export interface WindowOptions extends ServerOptions, Address {
  /** Folder for the browser's storage: tabs, layout and drafts that VS Code itself brings back. */
  readonly profile: string;
  /** Lines that code in the window logs. */
  readonly onLog?: ((line: string) => void) | undefined;
}

/** One real VS Code window: a server, its extension host, and the workbench in a headless browser. */
export interface Window {
  readonly page: Page;
  readonly url: string;
  /** Exit code of the module named by `tests`. */
  readonly testsEnded: Promise<number>;
  /** Ends everything at once, as a crash does. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openWindow = async (options: WindowOptions): Promise<Window> => {
  installExtensions(options.data, options.extensions.slice(1));
  const server = await startServer(options);
  let browser: BrowserContext | undefined;
  try {
    browser = await openBrowser(options.profile, options.install.browser);
    return await openPage(server, browser, options);
  } catch (error) {
    await browser?.close();
    await server.stop('SIGKILL');
    throw error;
  }
};

const openPage = async (
  server: Server,
  browser: BrowserContext,
  options: WindowOptions,
): Promise<Window> => {
  const page = browser.pages()[0] ?? (await browser.newPage());
  // The workbench hands its log and the tests' exit code to these two functions when they exist.
  await page.exposeFunction('codeAutomationLog', (_level: string, args: readonly unknown[]) => {
    options.onLog?.(args.map(String).join(' '));
  });
  const testsEnded = new Promise<number>((resolve) => {
    void page.exposeFunction('codeAutomationExit', (code: number) => {
      resolve(code);
    });
    server.process.once('exit', () => {
      resolve(1);
    });
  });
  if (options.verbose === true) {
    page.on('console', (message) => {
      process.stderr.write(`[workbench] ${message.text().slice(0, 500)}\n`);
    });
  }
  const url = addressOf(server, options);
  await page.goto(url);
  await page.waitForSelector('.monaco-workbench');
  return {
    page,
    url,
    testsEnded,
    kill: async () => {
      await server.stop('SIGKILL');
      await browser.close();
    },
    close: async () => {
      await browser.close();
      await server.stop();
    },
  };
};
