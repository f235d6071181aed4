import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { hostRun } from './hostRun.js';
import type { PersonAnswer, PersonOrder } from './hostSchemas.js';
import { personAnswerSchema } from './hostSchemas.js';

/*
 * What only a person in front of the window can do: read it and press its buttons. The runner does so in the
 * browser. A test that needs a person is skipped where `hasPerson` is false.
 */

export const hasPerson = hostRun.person !== undefined;

let orders = 0;

async function ask(order: PersonOrder): Promise<PersonAnswer> {
  assert.ok(hostRun.person !== undefined, 'nobody is in front of this window');
  orders += 1;
  const file = path.join(hostRun.person, `${orders}.json`);
  writeFileSync(`${file}.part`, JSON.stringify(order));
  renameSync(`${file}.part`, file);
  const answered = `${file}.answer`;
  while (!existsSync(answered)) await new Promise((resolve) => setTimeout(resolve, 50));
  const answer = personAnswerSchema.parse(JSON.parse(readFileSync(answered, 'utf8')));
  assert.equal(answer.error, undefined);
  return answer;
}

/** Waits for a message that has the button, and presses it. */
export async function press(button: string): Promise<void> {
  // A window that is driven shows no message by itself; it is in the list, as one that was not looked at.
  await vscode.commands.executeCommand('notifications.showList');
  await ask({ do: 'press', button });
}

/** Which messages are shown. */
export async function messagesShown(): Promise<readonly string[]> {
  await vscode.commands.executeCommand('notifications.showList');
  return (await ask({ do: 'look' })).messages;
}

/** Waits until the rows of the sessions view are as wanted; each as a screen reader reads it. */
export async function rowsUntil(
  what: string,
  isSo: (rows: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const end = Date.now() + 30_000;
  for (;;) {
    const { rows } = await ask({ do: 'look' });
    if (isSo(rows)) return rows;
    if (Date.now() > end) throw new Error(`Still not so: ${what}. Rows:\n${rows.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
