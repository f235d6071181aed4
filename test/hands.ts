import type { Locator, Page } from 'playwright-core';
import { seenIn } from './seenInPage.js';
import { comesToBe, until } from './until.js';

const choices = '.quick-input-widget .quick-input-list .monaco-list-row';

/** Clicks at the first of them; false where there is none, or where it went away. */
export async function click(found: Locator): Promise<boolean> {
  if ((await found.count()) === 0) return false;
  return found
    .first()
    .click({ timeout: 5_000 })
    .then(
      () => true,
      () => false,
    );
}

/**
 * Runs a command of the palette, again until it has had its effect: the palette may not be there yet, or close again,
 * while the window still gets ready.
 *
 * @param hasBegun tells what is to be seen of the command
 */
export async function runCommand(
  page: Page,
  command: string,
  hasBegun: () => Promise<boolean>,
): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  const run = async (): Promise<boolean> => {
    await page.keyboard.press('F1');
    await input.fill(`>${command}`, { timeout: 5_000 }).catch(() => undefined);
    const found = page.locator(choices, { hasText: command });
    return (await comesToBe(() => click(found))) && comesToBe(hasBegun);
  };
  await until(`the command “${command}” begins`, run, () => seenIn(page));
}

/** Waits until something is shown. */
export const shows = (page: Page, what: string, found: Locator): Promise<void> =>
  until(
    `${what} is shown`,
    async () => (await found.count()) > 0 && found.first().isVisible(),
    () => seenIn(page),
  );

/** Waits for a choice in the list that asks, and takes it. */
export const choose = (page: Page, label: string): Promise<void> =>
  until(
    `“${label}” can be chosen`,
    () => click(page.locator(choices, { hasText: label })),
    () => seenIn(page),
  );

/** Waits for a button, and presses it. */
export const pressButton = (page: Page, what: string, button: Locator): Promise<void> =>
  until(
    `the button “${what}” can be pressed`,
    () => click(button),
    () => seenIn(page),
  );
