import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { nonEmpty } from './nonEmpty.js';
import type { Settings } from './settings.js';
import { withSystemErrors } from './systemErrors.js';
import type * as Reading from './vaultReading.js';
import type * as Writing from './vaultWriting.js';

const exitCodes = `
Exit codes: 0 all is well, 1 an error that the message explains, 2 a wrong call, 3 damage was found.`;

/** `vault ...`: looking after the files in which everything is kept. */
export function addVaultCommands(program: Command, settings: () => Settings): void {
  const vault = program
    .command('vault')
    .description('look after the files in which everything is kept')
    .addHelpText('after', exitCodes);
  // Loaded when they are needed: they bring the database.
  const reading = (action: (commands: typeof Reading) => Promise<void>): Promise<void> =>
    withSystemErrors(async () => action(await import('./vaultReading.js')));
  const writing = (action: (commands: typeof Writing) => Promise<void>): Promise<void> =>
    withSystemErrors(async () => action(await import('./vaultWriting.js')));

  vault
    .command('stats')
    .description('say how much there is, of what, and since when')
    .addHelpText(
      'after',
      `
JSON: {projects: [{key, files, frames, sessions, threads, snapshots, snapshotsBySession, growth, saves,
restores, problems}], lastBackup}. Bytes of frames are as they were first written, bytes of files as they lie on the disk.${exitCodes}`,
    )
    .action(async () => reading(({ stats }) => stats(settings())));

  vault
    .command('check')
    .description('look for damage; change nothing')
    .option('--read-data', 'read every record and compare its hash, not only heads and lengths')
    .addHelpText(
      'after',
      `\nJSON: {clean, projects: [{key, packs, bytes, problems, notes}]}.${exitCodes}`,
    )
    .action(async ({ readData = false }: { readonly readData?: boolean }) =>
      reading(({ check }) => check(readData, settings())),
    );

  vault
    .command('rebuild')
    .description('drop the lists that windows make of the vault, and make them again')
    .option(
      '--view <dir>',
      "a window's folder; may be repeated (default: all of VS Code's)",
      gather,
    )
    .addHelpText(
      'after',
      `
The lists are sessions.db and catalog.json. Those of a window with several folders are made when it opens.

JSON: {views: [{view, dropped, rebuilt, sessions}]}.${exitCodes}`,
    )
    .action(async ({ view = [] }: { readonly view?: readonly string[] }) =>
      writing(({ rebuild }) => rebuild(view, settings())),
    );

  vault
    .command('repair')
    .description('write a new store with everything that can be read; the old one stays as it is')
    .requiredOption('--to <dir>', 'a folder that is empty or does not exist', nonEmpty)
    .addHelpText('after', `\nJSON: {projects, frames, bytes, problems}.${exitCodes}`)
    .action(async ({ to }: { readonly to: string }) =>
      writing(({ repair }) => repair(to, settings())),
    );

  vault
    .command('backup')
    .argument('<dir>', "the backup's folder; earlier backups in it stay", nonEmpty)
    .description('back everything up; costs what was saved since the last backup')
    .addHelpText(
      'after',
      `
Files that never change again are linked where the file system can, so a backup on the same disk takes
little room, and is no help when the disk breaks.

JSON: {manifest, projects, files, bytes, copied, problems}.${exitCodes}`,
    )
    .action(async (dir: string) => writing(({ backup }) => backup(dir, settings())));

  vault
    .command('restore')
    .argument('<dir>', "the backup's folder", nonEmpty)
    .description('make a store of the newest whole backup, checking every file')
    .requiredOption('--to <dir>', 'a folder that is empty or does not exist', nonEmpty)
    .option('--backup <name>', 'another backup than the newest: the name of its manifest', nonEmpty)
    .addHelpText('after', `\nJSON: {manifest, at, projects, files, bytes, passedOver}.${exitCodes}`)
    .action(
      async (dir: string, { to, backup }: { readonly to: string; readonly backup?: string }) =>
        writing(({ restore }) => restore(dir, to, backup, settings())),
    );

  vault
    .command('gc')
    .description('seal what is complete, and remove what is not needed after a week')
    .option('--dry-run', 'say what would go; change nothing')
    .option('--older-than <days>', 'name finished sessions that are older; none is removed', days)
    .addHelpText(
      'after',
      `
Not needed are deleted sessions, automatic snapshots that are too many (the newest 50 of a session stay, then
one an hour for a day, one a day for a month, one a week), and forgotten conversations.

JSON: {dryRun, projects: [{key, deadSessions, deadSnapshots, liveBytes, deadBytes, goingBytes, files, offered,
sealed}]}.${exitCodes}`,
    )
    .action(async (options: { readonly dryRun?: boolean; readonly olderThan?: number }) =>
      writing(({ gc }) => gc(options.dryRun ?? false, options.olderThan, settings())),
    );

  vault
    .command('forget')
    .description('remove every byte of a session, a conversation or a text; this cannot be undone')
    .option('--session <id>', "a session's id, or as much of its start as no other has", nonEmpty)
    .option(
      '--thread <id>',
      "a conversation's id, or as much of its start as no other has; its subagents go too",
      nonEmpty,
    )
    .option('--dry-run', 'say how much would go; change nothing')
    .option('--text <text>', 'a text; "-" reads it from standard input', nonEmpty)
    .option('--backups <dir>', "a backup's folder to be cleaned too; may be repeated", gather)
    .option('--view <dir>', "a window's folder, besides all of VS Code's; may be repeated", gather)
    .addHelpText(
      'after',
      `
Earlier backups go, and a new one takes their place: in the store's own backups, and where --backups says. What
agents keep in their own files stays; a forgotten conversation, and those of a forgotten session, are not taken in
again (see vault forgotten). A session that was named after one has no name then. Ctrl+C stops it while it reads, with
nothing changed; then it is done as a whole.

JSON: {projects: [{key, removed, masked, files}], backups, views}; with --dry-run {dryRun, removed, masked,
projects, backups}.${exitCodes}`,
    )
    .action(async (options: ForgetCall) =>
      writing(({ forgetEverywhere }) => forgetEverywhere(options, settings())),
    );

  vault
    .command('forgotten')
    .description('list forgotten conversations, which are not taken in again')
    .option(
      '--take-back <thread>',
      'let one be taken in again, from what its agent still has of it',
      nonEmpty,
    )
    .addHelpText(
      'after',
      `
What was removed stays removed. Subagents are taken back with their conversation, and are not listed.

JSON: {forgotten: [{id, at}]}; with --take-back {takenBack}.${exitCodes}`,
    )
    .action(async ({ takeBack }: { readonly takeBack?: string }) =>
      writing(({ forgotten }) => forgotten(takeBack, settings())),
    );
}

export interface ForgetCall {
  readonly dryRun?: boolean;
  readonly session?: string;
  readonly thread?: string;
  readonly text?: string;
  readonly backups?: readonly string[];
  readonly view?: readonly string[];
}

const gather = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  nonEmpty(value),
];

function days(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1) {
    throw new InvalidArgumentError('It is not a number of days.');
  }
  return number;
}
