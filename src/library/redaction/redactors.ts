import { homedir } from 'node:os';
import type { ExpectedError } from '../../core/errors.js';
import { customRules, readRules } from '../../core/redact/customRules.js';
import { Homes } from '../../core/redact/homes.js';
import { Redactor, type RedactorOptions } from '../../core/redact/redactor.js';
import type { RedactionSettings } from '../../core/redact/settings.js';
import { guard } from './guard.js';
import { readKnownSecrets } from './knownSecrets.js';

export interface ShareOptions {
  readonly settings: RedactionSettings;
  /** Paths of the workspace's folders, for the files with secrets in them. */
  readonly folders: readonly string[];
  /** Values that a person wants to be seen, out of the review. */
  readonly keep?: readonly string[] | undefined;
  /** Is told what is found where: for a person to see before anything is written. */
  readonly observe?: RedactorOptions['observe'];
  /** For text that stays on this machine: paths must work, so homes stay as they are. */
  readonly keepsPaths?: boolean | undefined;
  readonly home?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * What everything goes through that leaves this machine: all rules, what this machine knows to be
 * secret, the user's own rules; homes become `~`, sealed blobs are left out. One for each export, so
 * that the same value has the same number in all of it.
 *
 * @throws ExpectedError `badRule` for a rule of the user's that cannot be used
 */
export async function createShareRedactor(options: ShareOptions): Promise<Redactor> {
  const { settings, folders, keep = [], home = homedir(), env = process.env, observe } = options;
  const { keepsPaths = false } = options;
  return new Redactor({
    lane: 'share',
    custom: customRules(settings.rules),
    allow: [...settings.allow, ...keep],
    knownValues: await readKnownSecrets({ folders, home, env }),
    homes: keepsPaths ? undefined : new Homes([home]),
    dropSealed: true,
    observe,
    guard,
  });
}

/**
 * What every line of a log goes through: all rules and the user's own. Paths stay as they are, and the
 * files with secrets are not read for it.
 */
export function createLogRedactor({ rules, allow }: RedactionSettings): (text: string) => string {
  const { rules: custom } = readRules(rules);
  const label = (kind: string): string => `[REDACTED:${kind}]`;
  const redactor = new Redactor({ lane: 'share', custom, allow, label, guard });
  return (text) => redactor.text(text).text;
}

/**
 * What everything goes through on its way into the vault. Unnumbered: there is no run to count in, and
 * two windows must write the same bytes. Rules that cannot be used are told, and saving goes on.
 */
export function createSaveRedactor({ rules, allow }: RedactionSettings): {
  readonly redactor: Redactor;
  readonly problems: readonly ExpectedError[];
} {
  const { rules: custom, problems } = readRules(rules);
  const redactor = new Redactor({
    lane: 'save',
    custom,
    allow,
    label: (kind) => `[REDACTED:${kind}]`,
    // Our own rules check their time themselves; starting a guard for each record is not free.
    guard: custom.length > 0 ? guard : undefined,
  });
  return { redactor, problems };
}
