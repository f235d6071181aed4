import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const pictures = path.join(import.meta.dirname, '..', '.vscode-test', 'pictures');

/** What a person sees of a workbench, in few words: what has the focus, what is open, what asks and what is said. */
const script = `(() => {
  const texts = (selector) =>
    [...document.querySelectorAll(selector)]
      .filter((each) => each.checkVisibility())
      .map((each) => (each.innerText || each.ariaLabel || '').slice(0, 500))
      .filter(Boolean);
  const { activeElement: focus } = document;
  return JSON.stringify({
    focus: focus === null ? '' : focus.localName + '.' + focus.className,
    tabs: texts('.tab'),
    asked: texts('.quick-input-widget').concat([...document.querySelectorAll('.quick-input-widget input')].map(({ value }) => value)),
    dialog: texts('.monaco-dialog-box'),
    messages: texts('.notification-list-item'),
    statusBar: texts('.statusbar-item'),
    rows: [...document.querySelectorAll('.pane-body .monaco-list-row')].map(({ ariaLabel }) => ariaLabel),
  });
})()`;

/**
 * Tells what a page shows, for whoever reads of a failure.
 *
 * @param picture name of a picture that is taken too, below `.vscode-test/pictures`
 */
export async function seenIn(page: Page, picture?: string): Promise<string> {
  const words = await page.evaluate<string>(script);
  if (picture === undefined) return words;
  mkdirSync(pictures, { recursive: true });
  const file = path.join(pictures, `${picture}.png`);
  await page.screenshot({ path: file });
  return `${words} See ${file}`;
}
