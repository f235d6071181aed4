import * as vscode from 'vscode';
import type { SessionSummary, SnapshotSummary } from '../../core/model/session.js';
import { startOfDay } from '../views/groups.js';
import { snapshotIcons } from '../views/items.js';
import { escapeIcons, plain } from '../views/plainText.js';
import * as words from '../views/words.js';
import { pick } from './pick.js';

interface SnapshotItem extends vscode.QuickPickItem {
  readonly snapshot?: SnapshotSummary;
}

/** Lets a person choose one of a session's snapshots, newest first, by day. */
export async function pickSnapshot(
  session: SessionSummary,
  snapshots: readonly SnapshotSummary[],
  step?: { readonly at: number; readonly of: number },
): Promise<SnapshotSummary | 'back' | undefined> {
  const picked = await pick<SnapshotItem>({
    items: snapshotItems(snapshots, Date.now()),
    title: plain(session.title, 60),
    placeholder: vscode.l10n.t('Choose the moment to go back to'),
    step,
    back: step !== undefined,
  });
  return picked === 'back' ? 'back' : picked?.snapshot;
}

function snapshotItems(snapshots: readonly SnapshotSummary[], now: number): SnapshotItem[] {
  let day: number | undefined;
  return snapshots.flatMap((snapshot): SnapshotItem[] => {
    const start = startOfDay(snapshot.at);
    const item = snapshotItem(snapshot);
    if (start === day) return [item];
    day = start;
    return [{ label: words.dayWords(start, now), kind: vscode.QuickPickItemKind.Separator }, item];
  });
}

function snapshotItem(snapshot: SnapshotSummary): SnapshotItem {
  const label = escapeIcons(plain(snapshot.label ?? '', 60));
  return {
    snapshot,
    iconPath: new vscode.ThemeIcon(snapshotIcons[snapshot.reason]),
    label: words.joined(words.timeWords(snapshot.at), label),
    description: escapeIcons(
      words.joined(words.reasonWords(snapshot.reason), plain(snapshot.branch ?? '', 40)),
    ),
    detail: words.joined(words.contentWords(snapshot), words.deltaWords(snapshot.delta)),
  };
}
