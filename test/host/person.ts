import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../until.js';
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
  await until(`a person does “${JSON.stringify(order)}”`, () => existsSync(answered));
  return personAnswerSchema.parse(JSON.parse(readFileSync(answered, 'utf8')));
}

/** Asks until the answer is as wanted; the last one. */
async function askUntil(
  what: string,
  order: PersonOrder,
  isSo: (answer: PersonAnswer) => boolean = ({ done }) => done,
  before: () => PromiseLike<unknown> = () => Promise.resolve(),
): Promise<PersonAnswer> {
  let answer: PersonAnswer | undefined;
  await until(
    what,
    async () => {
      await before();
      answer = await ask(order);
      return isSo(answer);
    },
    () => lookAround().then(({ around }) => around),
  );
  return answer ?? assert.fail();
}

/**
 * A window that is driven shows no message by itself: it is in the list, as one that was not looked at. The list
 * closes when it is empty.
 */
const openMessages = (): PromiseLike<unknown> =>
  vscode.commands.executeCommand('notifications.showList');

/** Waits for a message that has the button, and presses it. */
export async function press(button: string): Promise<void> {
  const isPressed = ({ done }: PersonAnswer): boolean => done;
  await askUntil(`a message has “${button}”`, { do: 'press', button }, isPressed, openMessages);
}

/** Waits until the messages that are shown are as wanted. */
export async function messagesUntil(
  what: string,
  isSo: (messages: readonly string[]) => boolean,
): Promise<void> {
  await askUntil(what, { do: 'look' }, ({ messages }) => isSo(messages), openMessages);
}

/** Waits until VS Code has written a text down in the browser, for when the window opens again. */
export async function untilRecalled(text: string): Promise<void> {
  await askUntil(`“${text}” is written down`, { do: 'recall', text });
}

/**
 * Takes what is in front, or ticked, in each list that asks, until something is so. Not before there is something in
 * it: a list opens empty, and many that are ticked would be none.
 */
export const takeFirst = (what: string, isSo: () => boolean | PromiseLike<boolean>) =>
  until(
    what,
    async () => {
      if (await isSo()) return true;
      if (!hasPerson || (await ask({ do: 'look' })).choices.length > 0) {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      }
      return false;
    },
    () => (hasPerson ? lookAround().then(({ around }) => around) : undefined),
  );

/** Waits until the rows of the sessions view are as wanted; each as a screen reader reads it. */
export async function rowsUntil(
  what: string,
  isSo: (rows: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const look = { do: 'look', opens: true } as const;
  return (await askUntil(what, look, ({ rows }) => isSo(rows))).rows;
}

/** All that there is to be seen; a picture of it too, if that has a name. */
export const lookAround = (picture?: string): Promise<PersonAnswer> => ask({ do: 'look', picture });
