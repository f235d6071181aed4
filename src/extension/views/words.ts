import * as vscode from 'vscode';
import { splitThreadId } from '../../core/model/ids.js';
import type { OriginMark } from '../../core/model/origin.js';
import type { ReadingProgress } from '../../core/engine.js';
import type { SnapshotDelta, SnapshotReason, SnapshotSummary } from '../../core/model/session.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { daysBefore, startOfDay } from './groups.js';
import { plain } from './plainText.js';

/** The words and dates that lists, tooltips and messages share. */

export function reasonWords(reason: SnapshotReason): string {
  switch (reason) {
    case 'manual':
      return vscode.l10n.t('Saved by you');
    case 'agentTurn':
      return vscode.l10n.t('An agent answered');
    case 'edits':
      return vscode.l10n.t('Edits calmed down');
    case 'gitHead':
      return vscode.l10n.t('Commit or branch changed');
    case 'blur':
      return vscode.l10n.t('Window lost focus');
    case 'interval':
      return vscode.l10n.t('Saved by itself');
    case 'start':
      return vscode.l10n.t('Window opened');
    case 'beforeRestore':
      return vscode.l10n.t('Before a restore');
    case 'capture':
      return vscode.l10n.t('Command line');
  }
}

/** What changed since the snapshot before, or undefined when nothing is known. */
export function deltaWords(delta: SnapshotDelta | undefined): string | undefined {
  if (!delta) return undefined;
  const parts = [
    counted(
      delta.tabsOpened,
      vscode.l10n.t('1 tab opened'),
      vscode.l10n.t('{0} tabs opened', delta.tabsOpened),
    ),
    counted(
      delta.tabsClosed,
      vscode.l10n.t('1 tab closed'),
      vscode.l10n.t('{0} tabs closed', delta.tabsClosed),
    ),
    counted(
      delta.filesChanged,
      vscode.l10n.t('1 file changed'),
      vscode.l10n.t('{0} files changed', delta.filesChanged),
    ),
    counted(
      delta.turnsAdded,
      vscode.l10n.t('1 turn'),
      vscode.l10n.t('{0} turns', delta.turnsAdded),
    ),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Undefined for none: a list does not say what is not there. */
export function counted(count: number, one: string, many: string): string | undefined {
  if (count <= 0) return undefined;
  return count === 1 ? one : many;
}

/** How far the first reading of what agents wrote is. */
export const readingWords = ({ done, total, paused }: ReadingProgress): string =>
  paused
    ? vscode.l10n.t('Reading conversations is paused: {0} of {1}', numbers(done), numbers(total))
    : vscode.l10n.t('Reading conversations: {0} of {1}', numbers(done), numbers(total));

const numbers = (count: number): string => count.toLocaleString(vscode.env.language);

export const snapshotCount = (count: number): string | undefined =>
  counted(count, vscode.l10n.t('1 snapshot'), vscode.l10n.t('{0} snapshots', count));

export const sessionCount = (count: number): string | undefined =>
  counted(count, vscode.l10n.t('1 session'), vscode.l10n.t('{0} sessions', count));

/** Of a session that came along from another folder, or from a workspace that was never saved and has no name. */
export const fromWords = (name: string): string =>
  name === ''
    ? vscode.l10n.t('from an unsaved workspace')
    : vscode.l10n.t('from {0}', plain(name, 40));

/** Of a session that somebody sent; a name that no known key stands for is said to be unverified. */
export function senderWords({ from, trust }: OriginMark): string {
  const name = plain(from ?? '', 40) || vscode.l10n.t('somebody');
  return trust === 'verified'
    ? vscode.l10n.t('sent by {0}', name)
    : vscode.l10n.t('sent by {0}, unverified', name);
}

export const threadCount = (count: number): string | undefined =>
  counted(count, vscode.l10n.t('1 conversation'), vscode.l10n.t('{0} conversations', count));

export const promptCount = (count: number): string | undefined =>
  counted(count, vscode.l10n.t('1 prompt'), vscode.l10n.t('{0} prompts', count));

/** What a snapshot holds. */
export const contentWords = (snapshot: SnapshotSummary): string =>
  joined(
    counted(snapshot.tabs, vscode.l10n.t('1 tab'), vscode.l10n.t('{0} tabs', snapshot.tabs)),
    counted(
      snapshot.changes,
      vscode.l10n.t('1 changed file'),
      vscode.l10n.t('{0} changed files', snapshot.changes),
    ),
    threadCount(snapshot.threads),
  );

const formats = new Map<string, Intl.DateTimeFormat>();

function format(at: number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(vscode.env.language, options);
  formats.set(key, known);
  return known.format(at);
}

/** Today, Yesterday, a weekday within the last week, else the date. */
export function dayWords(start: number, now: number): string {
  if (start === startOfDay(now)) return vscode.l10n.t('Today');
  if (start === daysBefore(now, 1)) return vscode.l10n.t('Yesterday');
  if (start > daysBefore(now, 7) && start < now) return format(start, { weekday: 'long' });
  return format(start, { weekday: 'short', day: 'numeric', month: 'long' });
}

export const monthWords = (start: number): string =>
  format(start, { month: 'long', year: 'numeric' });

export const timeWords = (at: number): string => format(at, { hour: 'numeric', minute: '2-digit' });

/** The time, with the date where it was another day. */
export function momentWords(at: number, now: number): string {
  if (startOfDay(at) === startOfDay(now)) return timeWords(at);
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  return `${format(at, sameYear ? day : { ...day, year: 'numeric' })} ${timeWords(at)}`;
}

export const fullMomentWords = (at: number): string =>
  format(at, { dateStyle: 'full', timeStyle: 'short' });

/** As VS Code writes sizes: 1 KB is 1024 bytes. */
export function bytesWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const number = new Intl.NumberFormat(vscode.env.language, {
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1024 ** power);
  const unit = ['KB', 'MB', 'GB'][power - 1];
  if (unit !== undefined) return `${number} ${unit}`;
  return bytes === 1 ? vscode.l10n.t('1 byte') : vscode.l10n.t('{0} bytes', number);
}

/** Where a conversation is, when that is not where one would look for it. */
export function threadStateWords({ state, agent }: ThreadSummary): string | undefined {
  switch (state) {
    case 'live':
      return undefined;
    case 'gone':
      return vscode.l10n.t('Kept here only');
    case 'unlisted':
      return vscode.l10n.t('Not listed by {0}', agentName(agent));
  }
}

/** The parts that are there, for a description. */
export const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

/** Where a conversation was before it went on here. */
export const continuesWords = (threadId: string): string =>
  vscode.l10n.t('from {0}', agentName(splitThreadId(threadId).agent));
