import * as vscode from 'vscode';
import type { SessionSummary } from '../core/model/session.js';
import { sessionsToOffer } from '../core/retention.js';
import { Command, Setting } from './ids.js';
import { readSetting } from './settings.js';

const KEY = 'keepthread.archiveOfferedAt';
const AGAIN_MS = 7 * 24 * 60 * 60 * 1000;

/** What an offer is made of: {@link CommandContext} has it. */
export interface Offering {
  readonly sessions: {
    readonly state: string;
    engine(): Promise<{ listSessions(): Promise<readonly SessionSummary[]> }>;
  };
  /** When it was offered last, for this workspace. */
  readonly state: Pick<vscode.Memento, 'update'> & { get(key: string, otherwise: number): number };
}

/** Says once a week that finished sessions have become old, where a person wants to know. Archives nothing. */
export async function offerArchive({ sessions, state }: Offering): Promise<void> {
  const days = readSetting(Setting.retentionDays);
  if (days <= 0 || sessions.state === 'readOnly') return;
  if (Date.now() - state.get(KEY, 0) < AGAIN_MS) return;
  const all = await (await sessions.engine()).listSessions();
  const old = sessionsToOffer(all, days, Date.now());
  if (old.length === 0) return;
  await state.update(KEY, Date.now());
  const review = vscode.l10n.t('Review…');
  const message =
    old.length === 1
      ? vscode.l10n.t('1 finished session was not touched for {0} days. Archive it?', days)
      : vscode.l10n.t(
          '{0} finished sessions were not touched for {1} days. Archive them?',
          old.length,
          days,
        );
  const choice = await vscode.window.showInformationMessage(
    message,
    review,
    vscode.l10n.t('Not now'),
  );
  if (choice === review) await vscode.commands.executeCommand(Command.reviewFinished);
}
