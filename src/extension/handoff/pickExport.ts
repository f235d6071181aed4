import * as vscode from 'vscode';
import type { ExportChoice, ExportFormat, ExportRequest } from '../../core/handoff.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { fileSize } from '../../core/thread/text.js';
import { pick } from '../commands/pick.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { joined, promptCount } from '../views/words.js';

export interface Parts {
  /** Ids; undefined: all. */
  readonly threads: readonly string[] | undefined;
  readonly files: boolean;
  readonly images: boolean;
  readonly wholeOutputs: boolean;
}

interface PartItem extends vscode.QuickPickItem {
  readonly part?: 'files' | 'images' | 'wholeOutputs';
  readonly threadId?: string;
}

/** Asks what of a session goes along. */
export async function pickParts(threads: readonly ThreadSummary[]): Promise<Parts | undefined> {
  const top = threads.filter(({ parent }) => parent === undefined);
  const items: PartItem[] = [
    { label: vscode.l10n.t('Contents'), kind: vscode.QuickPickItemKind.Separator },
    {
      part: 'files',
      picked: true,
      label: vscode.l10n.t('Changes and unsaved text'),
      description: vscode.l10n.t('a file with a secret in it is left out'),
    },
    {
      part: 'wholeOutputs',
      label: vscode.l10n.t('Whole tool outputs'),
      description: vscode.l10n.t('otherwise the first 4,000 characters of each'),
    },
    {
      part: 'images',
      label: vscode.l10n.t('Images'),
      description: vscode.l10n.t('cannot be looked through for secrets'),
    },
    { label: vscode.l10n.t('Conversations'), kind: vscode.QuickPickItemKind.Separator },
    ...top.map((thread): PartItem => ({
      threadId: thread.id,
      picked: true,
      label: escapeIcons(plain(thread.title, 80)) || vscode.l10n.t('Untitled conversation'),
      description: joined(
        agentName(thread.agent),
        promptCount(thread.turns),
        fileSize(thread.bytes),
      ),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Export session'),
    placeHolder: vscode.l10n.t('What goes along'),
  });
  if (picked === undefined) return undefined;
  const chosen = picked.flatMap(({ threadId }) => threadId ?? []);
  const has = (part: PartItem['part']): boolean => picked.some((item) => item.part === part);
  return {
    threads: chosen.length === top.length ? undefined : chosen,
    files: has('files'),
    images: has('images'),
    wholeOutputs: has('wholeOutputs'),
  };
}

/** Asks which part of a session goes along, when one of its snapshots was chosen. */
export async function pickRange(
  snapshotId: string,
): Promise<Pick<ExportChoice, 'from' | 'to'> | undefined> {
  const items: readonly (vscode.QuickPickItem & {
    readonly range: Pick<ExportChoice, 'from' | 'to'>;
  })[] = [
    {
      range: { to: snapshotId },
      label: vscode.l10n.t('Up to this snapshot'),
      description: vscode.l10n.t('the conversations end there too'),
    },
    { range: { from: snapshotId }, label: vscode.l10n.t('From this snapshot on') },
    { range: { from: snapshotId, to: snapshotId }, label: vscode.l10n.t('This snapshot alone') },
  ];
  const picked = await pick({
    items,
    title: vscode.l10n.t('Export session'),
    placeholder: vscode.l10n.t('Which part of the session goes along'),
  });
  return picked === 'back' ? undefined : picked?.range;
}

export interface Protection {
  readonly format: ExportFormat;
  readonly lock: ExportRequest['lock'];
  readonly sign: boolean;
}

interface FormatItem extends vscode.QuickPickItem {
  readonly format?: ExportFormat;
  readonly protect?: 'passphrase' | 'recipients';
}

/** Asks for the form of the file and who can open it. */
export async function pickProtection(size: string): Promise<Protection | undefined> {
  const items: readonly FormatItem[] = [
    { label: vscode.l10n.t('To go on with'), kind: vscode.QuickPickItemKind.Separator },
    {
      format: 'keepthread',
      label: vscode.l10n.t('Session file'),
      description: vscode.l10n.t('signed; a colleague can go on with it'),
    },
    {
      format: 'keepthread',
      protect: 'passphrase',
      label: vscode.l10n.t('Session file with a passphrase'),
      description: vscode.l10n.t('signed and encrypted'),
    },
    {
      format: 'keepthread',
      protect: 'recipients',
      label: vscode.l10n.t('Session file for recipients'),
      description: vscode.l10n.t('signed and encrypted for their age keys'),
    },
    { label: vscode.l10n.t('To read or to process'), kind: vscode.QuickPickItemKind.Separator },
    {
      format: 'markdown',
      label: 'Markdown',
      description: vscode.l10n.t('the conversations as text'),
    },
    { format: 'html', label: 'HTML', description: vscode.l10n.t('one page without scripts') },
    { format: 'json', label: 'JSON', description: vscode.l10n.t('everything, for a program') },
    {
      format: 'atif',
      label: 'ATIF',
      description: vscode.l10n.t('steps of the agents, to evaluate'),
    },
    {
      format: 'otel',
      label: 'OpenTelemetry',
      description: vscode.l10n.t('traces of the agents, to observe'),
    },
  ];
  const picked = await pick<FormatItem>({
    items,
    title: vscode.l10n.t('Export session'),
    placeholder: vscode.l10n.t('Form of the file ({0})', size),
  });
  if (picked === undefined || picked === 'back' || picked.format === undefined) return undefined;
  const sign = picked.format === 'keepthread';
  if (picked.protect === undefined) return { format: picked.format, lock: undefined, sign };
  const lock = picked.protect === 'passphrase' ? await askPassphrase() : await askRecipients();
  return lock && { format: picked.format, lock, sign };
}

async function askPassphrase(): Promise<ExportRequest['lock']> {
  const ask = (prompt: string, isSame: (text: string) => boolean) =>
    vscode.window.showInputBox({
      prompt,
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (isSame(text) ? undefined : vscode.l10n.t('Not the same')),
    });
  const passphrase = await ask(vscode.l10n.t('Passphrase for the file'), () => true);
  if (passphrase === undefined || passphrase === '') return undefined;
  const again = await ask(vscode.l10n.t('The same once more'), (text) => text === passphrase);
  return again === undefined ? undefined : { passphrase };
}

async function askRecipients(): Promise<ExportRequest['lock']> {
  const text = await vscode.window.showInputBox({
    prompt: vscode.l10n.t('Keys of those who may open it, age1…, separated by spaces'),
    ignoreFocusOut: true,
  });
  const recipients = (text ?? '').split(/[\s,]+/).filter((key) => key !== '');
  return recipients.length === 0 ? undefined : { recipients };
}
