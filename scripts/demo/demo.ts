import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { appears } from '../appears.js';
import { makeSample } from '../sample.js';
import { stageExtension } from '../stage.js';
import { environmentOf } from '../vscode/home.js';
import { installServer } from '../vscode/install.js';
import { freePort } from '../vscode/server.js';
import { forgetWindows, writeSettings } from '../vscode/userData.js';
import type { Window } from '../vscode/window.js';
import { openWindow } from '../vscode/window.js';
import type { After, Before, Failure, Orders } from './orders.js';

const twoMinutes = 120_000;

/**
 * Plays the main job without a person: works in a window, saves, kills it, opens another that knows
 * nothing of it, and has Keepthread bring the work back.
 *
 * @param scratch folder for the sample workspace and the editor's data
 * @returns whether everything came back
 */
export const playDemo = async (root: string, scratch: string): Promise<boolean> => {
  const install = installServer(root);
  const home = path.join(scratch, 'home');
  const data = path.join(scratch, 'data');
  const userData = path.join(data, 'data');
  const sample = makeSample(path.join(scratch, 'todo-api'), home);
  const extension = path.join(scratch, 'extension');
  stageExtension(root, extension);
  const driver = await bundleDriver(root);
  writeSettings(userData);
  const open = async (name: string, orders: Orders): Promise<Window> => {
    const ordersFile = path.join(scratch, `${name}.orders.json`);
    writeFileSync(ordersFile, JSON.stringify(orders));
    return openWindow({
      ...{ install, data, port: await freePort(), profile: path.join(scratch, `browser-${name}`) },
      env: environmentOf(home, { KEEPTHREAD_DEMO: ordersFile }),
      workspace: sample.folder,
      extensions: [extension],
      tests: driver,
    });
  };

  console.log(
    '1. A window on the sample workspace: files in three groups, a draft, a terminal ...',
  );
  const beforeFile = path.join(scratch, 'before.json');
  const first = await open('before', { answer: beforeFile });
  const before = await answer<Before>(first, beforeFile);
  await picture(first.page, path.join(root, 'before.png'));
  console.log(`   saved as "${before.session.label ?? ''}", see before.png`);

  console.log('2. The window is killed. Its tabs, layout and drafts are thrown away.');
  await first.kill();
  forgetWindows(userData);

  console.log('3. Another window on the same folder ...');
  const afterFile = path.join(scratch, 'after.json');
  const second = await open('after', { answer: afterFile, saved: before.saved });
  const after = await answer<After>(second, afterFile);
  await picture(second.page, path.join(root, 'after.png'));
  await second.close();
  console.log(`   it began with: ${after.empty.join(', ')}; brought back, see after.png:`);
  return report(before, after);
};

/** Prints every item of the first window and whether the second one has it. */
const report = (before: Before, after: After): boolean => {
  const conversations = ({ session }: Before | After): string =>
    `conversations: ${session.threads} (${session.agents.join(', ')}) on branch ${session.branch ?? '?'}`;
  const wanted = [...before.window, conversations(before)];
  const got = new Set([...after.window, conversations(after)]);
  for (const item of wanted) console.log(`   ${got.has(item) ? '✔' : '✖'} ${item}`);
  const extra = [...got].filter((item) => !wanted.includes(item));
  for (const item of extra) console.log(`   ? ${item} (was not there before)`);
  const back = wanted.filter((item) => got.has(item)).length;
  const failed = after.report.outcomes.filter(({ outcome }) => outcome === 'failed');
  for (const { kind, label, detail } of failed) {
    console.log(`   ✖ ${kind} ${label}: ${detail ?? ''}`);
  }
  console.log(`${back} of ${wanted.length} items came back.`);
  return back === wanted.length && failed.length === 0 && before.session.threads > 0;
};

const bundleDriver = async (root: string): Promise<string> => {
  const outfile = path.join(root, '.vscode-test', 'demo', 'driver.mjs');
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    entryPoints: [path.join(root, 'scripts', 'demo', 'driver.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
};

const answer = async <T extends Before | After>(window: Window, file: string): Promise<T> => {
  const answered = await Promise.race([
    appears(file).then(() => true),
    window.testsEnded.then(() => false),
    wait(twoMinutes, false, { ref: false }),
  ]);
  if (!answered) throw new Error('The window did not answer.');
  const said = JSON.parse(readFileSync(file, 'utf8')) as T | Failure;
  if ('error' in said) throw new Error(`In the window: ${said.error}`);
  return said;
};

const picture = async (page: Page, file: string): Promise<void> => {
  // What the workbench still paints, such as the tree and the colours of a file just opened.
  await wait(2_000);
  await page.screenshot({ path: file });
};
