import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { Lane } from '../core/redact/finding.js';
import { KnownValues } from '../core/redact/knownValues.js';
import { Redactor } from '../core/redact/redactor.js';
import { valuesOf, valuesOfVariables } from '../core/redact/secretFiles.js';
import { nonEmpty } from './nonEmpty.js';
import { toJson } from './output.js';
import type { Settings } from './settings.js';

interface RedactOptions {
  readonly lane: Lane;
  readonly envFile: readonly string[];
}

/** `redact`. */
export function addRedactCommand(program: Command, settings: () => Settings): void {
  program
    .command('redact')
    .description('mask secrets in the text on stdin, best effort')
    .addOption(
      new Option('--lane <lane>', 'save: what is surely a secret; share: also what is likely one')
        .choices(['save', 'share'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--env-file <file...>',
        'mask the values of this file wherever they stand: .env, .npmrc, .netrc, cloud credentials',
      )
        .argParser((file: string, files: readonly string[]) => [...files, nonEmpty(file)])
        .default([], 'none'),
    )
    .addHelpText(
      'after',
      `
A secret becomes [REDACTED:kind#n]; the same value has the same n. In the share lane, values of
environment variables with secret names are masked too. When the text cannot be scanned in time,
nothing is printed and the exit code is 1.

JSON: {text, findings: [{kind, start, end}]}; start and end are offsets in the input, in UTF-16 units.`,
    )
    .action(async (options: RedactOptions) => redact(options, settings()));
}

async function redact({ lane, envFile }: RedactOptions, { output }: Settings): Promise<void> {
  const knownValues = new KnownValues((await Promise.all(envFile.map(readValues))).flat());
  if (lane === 'share') {
    for (const value of valuesOfVariables(process.env)) knownValues.add(value);
  }
  // A byte order mark is part of the text, so that offsets are those of the input.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const input = decoder.decode(await buffer(process.stdin));
  const { text, findings, withheld } = new Redactor({ lane, knownValues }).text(input);
  if (withheld) {
    throw new ExpectedError(
      'notScanned',
      'The text could not be scanned for secrets in time.',
      [],
      {
        next: 'Give it in smaller pieces.',
      },
    );
  }
  process.stdout.write(output.json ? `${toJson({ text, findings })}\n` : text);
}

async function readValues(file: string): Promise<readonly string[]> {
  try {
    return valuesOf(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ExpectedError('fileUnreadable', 'Cannot read {0}: {1}.', [file, messageOf(error)], {
      cause: error,
      next: 'Name a file that can be read with --env-file.',
    });
  }
}
