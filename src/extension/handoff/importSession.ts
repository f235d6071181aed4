import * as vscode from 'vscode';
import { z } from 'zod';
import { sessionFields, type ImportResult, type Unlock } from '../../core/handoff.js';
import { readCall } from '../commands/call.js';
import type { CommandContext, Run } from '../commands/context.js';
import { requireTrust } from '../commands/target.js';
import { Command, type ImportOptions } from '../ids.js';
import { plain } from '../views/plainText.js';
import { IMPORT_VIEW } from './ids.js';
import { withJob } from '../jobs.js';
import { pickTheirs } from './pickTheirs.js';
import { unlocks } from './unlocks.js';

const optionsSchema: z.ZodType<ImportOptions> = z.object({
  file: z.string(),
  expect: z.string().optional(),
  takeTheirs: z.union([z.boolean(), z.array(z.enum(sessionFields))]).optional(),
  choose: z.boolean().optional(),
  passphrase: z.string().optional(),
});

/** Shows what is in a session file, from where it can be taken in. A call with a file takes it in at once. */
export const importSession: Run<ImportResult | undefined> = async (context, args) => {
  const [first] = args;
  // From the explorer VS Code passes the file.
  if (first instanceof vscode.Uri) return openPage(first);
  const call = readCall(args, optionsSchema);
  if (call.from === 'program') {
    requireTrust();
    const { options } = call;
    // Only a page says what it expects; then a person looks on.
    if (options.expect === undefined) return takeChoosing(context, options);
    const result = await context.errors.run(() => takeChoosing(context, options));
    if (result !== undefined) void context.errors.run(() => sayImported(result));
    return result;
  }
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import session'),
      openLabel: vscode.l10n.t('Look at it'),
      filters: { [vscode.l10n.t('Session files')]: ['keepthread'] },
    })) ?? [];
  return file === undefined ? undefined : openPage(file);
};

/** The page on which a file is looked at before anything of it is taken. */
export async function openPage(file: vscode.Uri): Promise<undefined> {
  await vscode.commands.executeCommand('vscode.openWith', file, IMPORT_VIEW);
  return undefined;
}

/** Undefined: the person closed the choice. */
async function takeChoosing(
  context: CommandContext,
  options: ImportOptions,
): Promise<ImportResult | undefined> {
  if (options.choose !== true) return take(context, options);
  const engine = await context.sessions.engine();
  const { file } = options;
  const { here } = await engine.inspectHandoff({ file, unlock: unlockFor(options) });
  const takeTheirs = await pickTheirs(here.differences);
  return takeTheirs && take(context, { ...options, takeTheirs });
}

const unlockFor = ({ file, passphrase }: ImportOptions): Unlock | undefined =>
  passphrase === undefined ? unlocks.of(file) : { passphrase };

async function take(context: CommandContext, options: ImportOptions): Promise<ImportResult> {
  const { file, expect, takeTheirs } = options;
  const engine = await context.sessions.engine();
  const unlock = unlockFor(options);
  const result = await withJob(engine, vscode.l10n.t('Importing the session'), (job) =>
    engine.importHandoff({ file, expect, takeTheirs, unlock, job }),
  );
  unlocks.noteImport(file);
  return result;
}

async function sayImported({ outcome, sessionId, inspection }: ImportResult): Promise<void> {
  const title = plain(inspection.session.title, 60);
  const words = {
    new: vscode.l10n.t('Imported “{0}”. Nothing in it was run.', title),
    updated: vscode.l10n.t('“{0}” has what is new in the file.', title),
    unchanged: vscode.l10n.t('“{0}” is here already; nothing changed.', title),
  }[outcome];
  const goOn = vscode.l10n.t('Go on here…');
  const choice = await vscode.window.showInformationMessage(words, goOn);
  if (choice === goOn) await vscode.commands.executeCommand(Command.goOnHere, { sessionId });
}

/** Asks for what opens an encrypted file, and shows the page again. */
export const unlockSessionFile: Run<undefined> = async (_, args) => {
  const call = readCall(args, z.object({ file: z.string() }));
  if (call.from !== 'program') return undefined;
  const text = await vscode.window.showInputBox({
    prompt: vscode.l10n.t('Passphrase, or an age key that begins with AGE-SECRET-KEY-'),
    password: true,
    ignoreFocusOut: true,
  });
  if (text === undefined || text === '') return undefined;
  const isKey = /^AGE-SECRET-KEY-/i.test(text.trim());
  unlocks.set(call.options.file, isKey ? { identities: [text.trim()] } : { passphrase: text });
  return undefined;
};
