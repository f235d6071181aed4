import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { ExpectedError, messageOf } from '../core/errors.js';
import { customRules } from '../core/redact/customRules.js';
import type { Lane } from '../core/redact/finding.js';
import { Homes } from '../core/redact/homes.js';
import { KnownValues } from '../core/redact/knownValues.js';
import { Redactor } from '../core/redact/redactor.js';
import { valuesOf } from '../core/redact/secretFiles.js';
import type { RuleSetting } from '../core/redact/settings.js';
import { guard } from '../library/redaction/guard.js';
import { readKnownSecrets } from '../library/redaction/knownSecrets.js';
import { decodeInput } from './inputText.js';
import { nonEmpty } from './nonEmpty.js';
import { toJson } from './output.js';
import type { Settings } from './settings.js';

interface RedactOptions {
  readonly lane: Lane;
  readonly valuesFrom: readonly string[];
  readonly envFile: readonly string[];
  readonly rules?: string;
  readonly allow?: string;
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
      filesOption(
        '--values-from <file...>',
        'mask the values of this file wherever they stand: .env, .npmrc, .netrc, cloud credentials',
      ),
    )
    .addOption(
      filesOption('--env-file <file...>', 'the same; Node.js reads the file too, see below'),
    )
    .option('--rules <file>', 'rules of your own: JSON, [{"name", "pattern", "kind"?}]', nonEmpty)
    .option('--allow <file>', 'values that stay as they are, one a line', nonEmpty)
    .addHelpText(
      'after',
      `
A secret becomes [REDACTED:kind#n]; the same value has the same n. In the share lane, what this machine
keeps secret is masked too (variables with secret names; .env files here; .npmrc, .netrc, credentials
of clouds and the like in the home folder), and home folders and names of users become ~, which are no
findings. When the text cannot be scanned in time, nothing is printed and the exit code is 1.

Node.js has an --env-file of its own, and takes it wherever it stands: it says itself when the file is missing
(exit code 9), and does what NODE_OPTIONS in the file says. --values-from is Keepthread's alone.

The text is UTF-8, or UTF-16 by its byte order mark; what is not masked goes out byte for byte.

JSON: {text, findings: [{kind, start, end}]}; start and end are offsets in the input, in UTF-16 units: two
for a character beyond U+FFFF, one for a byte that is no UTF-8 (in "text" U+DC80 to U+DCFF stands for it).
What lies in base64 is found as the whole of it.`,
    )
    .action(async (options: RedactOptions) => redact(options, settings()));
}

const filesOption = (flags: string, description: string): Option =>
  new Option(flags, description)
    .argParser((file: string, files: readonly string[]) => [...files, nonEmpty(file)])
    .default([], 'none');

async function redact(options: RedactOptions, { output }: Settings): Promise<void> {
  const redactor = await redactorFor(options);
  const input = decodeInput(await buffer(process.stdin));
  const { text, findings, withheld } = redactor.text(input.text);
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
  process.stdout.write(output.json ? `${toJson({ text, findings })}\n` : input.encode(text));
}

async function redactorFor({
  lane,
  valuesFrom,
  envFile,
  rules,
  allow,
}: RedactOptions): Promise<Redactor> {
  const isShared = lane === 'share';
  const sources = { folders: [process.cwd()], home: homedir(), env: process.env };
  const knownValues = isShared ? await readKnownSecrets(sources) : new KnownValues();
  for (const file of [...valuesFrom, ...envFile]) {
    for (const value of valuesOf(await read(file, '--values-from'))) knownValues.add(value);
  }
  return new Redactor({
    lane,
    knownValues,
    custom: rules === undefined ? [] : customRules(await readRuleFile(rules)),
    allow: allow === undefined ? [] : (await read(allow, '--allow')).split(/\r?\n/),
    homes: isShared ? new Homes([homedir()]) : undefined,
    guard,
  });
}

async function readRuleFile(file: string): Promise<readonly RuleSetting[]> {
  const text = await read(file, '--rules');
  try {
    const rules: unknown = JSON.parse(text);
    // Each rule is checked where it is compiled.
    if (Array.isArray(rules)) return rules as readonly RuleSetting[];
  } catch {
    // The same as any other text that holds no rules.
  }
  throw new ExpectedError('badRule', '{0} is no JSON array of rules.', [file], {
    next: 'Write [{"name": "...", "pattern": "..."}].',
  });
}

async function read(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ExpectedError('fileUnreadable', 'Cannot read {0}: {1}.', [file, messageOf(error)], {
      cause: error,
      next: `Name a file that can be read with ${option}.`,
    });
  }
}
