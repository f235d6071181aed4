import type { Command } from 'commander';
import type * as Apply from './apply.js';
import { nonEmpty } from './nonEmpty.js';
import type { Settings } from './settings.js';
import { withSystemErrors } from './systemErrors.js';

export interface ApplyOptions {
  readonly map?: readonly string[];
  readonly without?: readonly string[];
  readonly sensitive?: boolean;
  readonly staged?: boolean;
  readonly merge?: boolean;
  readonly fetch?: boolean;
}

export interface ApplyCall extends ApplyOptions {
  readonly folder?: string;
  readonly snapshot?: string;
  readonly dryRun?: boolean;
}

/** `session apply` and `session unapply`. */
export function addApplyCommands(session: Command, settings: () => Settings): void {
  withApply(
    session
      .command('apply')
      .argument('<id>', "a session's id, or as much of its start as no other session has", nonEmpty)
      .description("lay a session's changes on the files of a folder, all of them or none")
      .option('--folder <dir>', 'the folder (default: the current one)', nonEmpty)
      .option('--snapshot <id>', 'the changes of this snapshot (default: the newest)', nonEmpty)
      .option('--dry-run', 'only say what would be done'),
  )
    .addHelpText('after', applyHelp)
    .action(async (id: string, call: ApplyCall) =>
      run(async ({ applySession }) => applySession(id, call, settings())),
    );
  session
    .command('unapply')
    .argument('<snapshot>', 'the snapshot that apply named', nonEmpty)
    .description(
      'put back the files that an apply replaced, and what was staged, unless one was changed since',
    )
    .option('--folder <dir>', 'the folder (default: the current one)', nonEmpty)
    .addHelpText(
      'after',
      '\nJSON: {restored, same, restaged}: paths that are as they were, that were so, and that are staged or not as they were.',
    )
    .action(async (snapshot: string, call: { readonly folder?: string }) =>
      run(async ({ unapply }) => unapply(snapshot, call, settings())),
    );
}

/** The options that `session import --apply` has too. */
export const withApply = (command: Command): Command =>
  command
    .option(
      '--map <name=dir>',
      'the repository here for one of the session; NAME=- leaves it out',
      gather,
    )
    .option('--without <path>', 'leave this file as it is here; may be repeated', gather)
    .option(
      '--sensitive',
      'also files that programs take commands or settings from (.vscode, .env)',
    )
    .option('--staged', 'also stage what is staged in the session')
    .option(
      '--merge',
      "where both changed the same lines, write both versions with git's conflict markers",
    )
    .option(
      '--fetch',
      'fetch a missing commit from the remote of this folder that the session names',
    );

const gather = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  nonEmpty(value),
];

/** Loaded when they are needed: they bring the database. */
const run = (action: (commands: typeof Apply) => Promise<void>): Promise<void> =>
  withSystemErrors(async () => action(await import('./apply.js')));

const applyHelp = `
A three-way merge: whatever only the session or only this folder changed is taken, also in files that were moved.
Where both changed the same lines, nothing is written; with --merge such files get both versions between conflict
markers, and count as unmerged for git until you have chosen and staged them. HEAD and branches stay as they are,
and the index but for what --staged and --merge say. What is replaced is kept first, and the snapshot for "session
unapply" is named. Run it only for folders that you trust.

Exit codes: 0 done, or with --dry-run it could be; 1 something stands against it, and nothing was written; 4 written,
and files with conflict markers wait to be merged by you.

JSON: {applied, unresolved, plan: {repositories: [{name, folder, state, changes, conflicts, left, staged, …}], …},
undo, problems}; unresolved: paths of the files with conflict markers, which --dry-run names too.`;
