import type { BrowserContext, Page, Request } from 'playwright-core';

/** What pages did beyond showing what they hold. */
export interface Watch {
  /** Dialogs that a script opened, what it asked of the network, and where it went. */
  readonly seen: string[];
}

/**
 * Notes everything that a page does by itself from now on, and lets none of it out.
 *
 * @param isOurs whether an address is one that the test itself, or the workbench around the page, asks
 * @param isNoted whether a request of another address is one that is looked for
 */
export async function watch(
  context: BrowserContext,
  isOurs: (url: string) => boolean,
  isNoted: (request: Request) => boolean = () => true,
): Promise<Watch> {
  const seen: string[] = [];
  await context.route(
    (url) => !isOurs(url.href),
    (route) => {
      if (isNoted(route.request())) seen.push(`request of ${route.request().url()}`);
      return route.abort();
    },
  );
  const look = (page: Page): void => {
    page.on('dialog', (dialog) => {
      seen.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => seen.push(`window ${popup.url()}`));
    page.on('websocket', (socket) => {
      if (!isOurs(socket.url().replace(/^ws/, 'http'))) seen.push(`socket ${socket.url()}`);
    });
    page.on('download', (download) => seen.push(`download ${download.url()}`));
  };
  for (const page of context.pages()) look(page);
  context.on('page', look);
  return { seen };
}
