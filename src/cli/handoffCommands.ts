import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  exportFormats,
  sessionFields,
  type ExportFormat,
  type ImportRequest,
  type SessionField,
} from '../core/handoff.js';
import { withApply, type ApplyOptions } from './applyCommands.js';
import type * as Handoff from './handoff.js';
import { nonEmpty } from './nonEmpty.js';
import type { Settings } from './settings.js';
import { withSystemErrors } from './systemErrors.js';

export interface ExportCall {
  readonly output: string;
  readonly format: ExportFormat;
  readonly from?: string;
  readonly to?: string;
  readonly thread?: readonly string[];
  readonly files: boolean;
  readonly filesWithSecrets?: boolean;
  readonly images?: boolean;
  readonly toolOutput?: number;
  readonly keep?: readonly string[];
  readonly author?: string;
  readonly recipient?: readonly string[];
  readonly passphraseFile?: string;

  readonly sign?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export interface OpenCall {
  readonly passphraseFile?: string;
  readonly identity?: readonly string[];
}

export interface ImportCall extends OpenCall, ApplyOptions {
  readonly folder?: string;
  readonly apply?: boolean;
  readonly dryRun?: boolean;
  readonly takeTheirs?: ImportRequest['takeTheirs'];
}

/** `session export`, `session import` and `session verify`. */
export function addHandoffCommands(session: Command, settings: () => Settings): void {
  session
    .command('export')
    .argument('<id>', "a session's id, or as much of its start as no other session has", nonEmpty)
    .description('write a session to one file that can be sent; secrets that are found are masked')
    .requiredOption('--output <file>', 'the file to write', nonEmpty)
    .addOption(
      new Option('--format <format>', 'what kind of file; only keepthread can be imported')
        .choices(exportFormats)
        .default('keepthread'),
    )
    .option(
      '--from <snapshot>',
      'from this snapshot on, by id or as much of its start as needed',
      nonEmpty,
    )
    .option('--to <snapshot>', 'up to this snapshot', nonEmpty)
    .option(
      '--thread <id>',
      "only this conversation, by the agent's id for it, with its subagents; may be repeated",
      gather,
    )
    .option('--no-files', 'no contents of files: no unsaved texts, patches or untracked files')
    .option('--files-with-secrets', 'also files in which secrets were found, as they are')
    .option('--images', 'also images and other binary data, which cannot be looked through')
    .option('--tool-output <characters>', 'shorten each output of a tool to so many', characters)
    .option('--keep <value>', 'a value that is no secret; may be repeated', gather)
    .option('--author <name>', 'the name that the file says it is from', nonEmpty)
    .option('--recipient <key>', 'encrypt with age for this recipient; may be repeated', gather)
    .option(
      '--passphrase-file <file>',
      'encrypt with age and the passphrase in this file',
      nonEmpty,
    )
    .option('--sign', 'sign with your key (see: keepthread key)')
    .option('--force', 'replace the file when there is one')
    .option('--dry-run', 'only say how large it would be and what would be masked')
    .addHelpText('after', exportHelp)
    .action(async (id: string, call: ExportCall) =>
      run(async ({ exportSession }) => exportSession(id, call, settings())),
    );

  const importing = withKeys(
    session
      .command('import')
      .argument('<file>', 'a session file', nonEmpty)
      .description('take a session file in, whole or not at all; nothing in it is run')
      .option(
        '--folder <dir>',
        'the folder that it goes on in (default: the current one)',
        nonEmpty,
      )
      .option('--dry-run', 'only say what is in it and what would be taken')
      .addOption(
        new Option(
          '--take-theirs [fields]',
          'where you and the sender changed the same, take what the sender says: of all, or of title,goal,status',
        )
          .choices(theirFields)
          .argParser(fieldsIn),
      )
      .option(
        '--apply',
        "lay its changes on the folder's files too; see: keepthread session apply",
      ),
  );
  withApply(importing)
    .addHelpText('after', importHelp)
    .action(async (file: string, call: ImportCall) =>
      run(async ({ importSession }) => importSession(file, call, settings())),
    );

  withKeys(
    session
      .command('verify')
      .argument('<file>', 'a session file', nonEmpty)
      .description('check a session file to its last byte and say what is in it'),
  )
    .addHelpText('after', verifyHelp)
    .action(async (file: string, call: OpenCall) =>
      run(async ({ verifySession }) => verifySession(file, call, settings())),
    );
}

const withKeys = (command: Command): Command =>
  command
    .option('--passphrase-file <file>', 'a file with the passphrase of an encrypted one', nonEmpty)
    .option(
      '--identity <file>',
      'a file with age identities (default: your own); may be repeated',
      gather,
    );

/** Loaded when they are needed: they bring the database. */
const run = (action: (commands: typeof Handoff) => Promise<void>): Promise<void> =>
  withSystemErrors(async () => action(await import('./handoff.js')));

const gather = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  nonEmpty(value),
];

/** Tags of both sides come together, so nobody has to choose. */
const theirFields = sessionFields.filter((field) => field !== 'tags');

function fieldsIn(value: string): readonly SessionField[] {
  const names = value.split(',').map((name) => name.trim());
  const fields = theirFields.filter((field) => names.includes(field));
  if (fields.length > 0 && fields.length === new Set(names).size) return fields;
  throw new InvalidArgumentError(
    `It is not one or more of ${theirFields.join(',')}. The file stands before --take-theirs.`,
  );
}

function characters(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 100) {
    throw new InvalidArgumentError('It is not a number of at least 100.');
  }
  return number;
}

const exportHelp = `
Best effort: look at the file before you send it. What was masked and left out is said, and stands in the
file. When something cannot be looked through for secrets in time, nothing is written.

JSON: {file, bytes, snapshots, threads, records, redaction, fingerprint}; with --dry-run {bytes, findings: [{kind, …}],
more}, where bytes are those before compression.`;

const importHelp = `
Importing a file again changes nothing; a newer file of the same session adds what is new. What you and the sender
have both changed stays as it is here and is named, with both values under --dry-run; --take-theirs takes theirs, and
--take-theirs title,goal only of these. The session keeps the mark of who sent it.

JSON: {outcome, sessionId, origin, added, conflicts, inspection}; with --dry-run the inspection alone; with
--apply also {apply: {applied, plan, undo}}, and exit code 1 when that could not be done.`;

const verifyHelp = `
Exit codes: 0 whole and, if signed, by its key; 1 it cannot be opened; 2 a wrong call; 3 damaged, or the
signature is not of what the file holds.

JSON: the inspection: {file, bytes, version, author, session, threads, files, bases, redaction, here, …}.`;
