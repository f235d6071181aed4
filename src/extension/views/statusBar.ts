import * as vscode from 'vscode';
import { Command } from '../ids.js';
import type { SaveState, Sessions } from '../sessions.js';
import { escapeIcons, escapeMarkdown, plain } from './plainText.js';
import type { SessionList } from './sessionList.js';
import { momentWords, readingWords } from './words.js';

/** Most saves are shorter: a word that flashes by tells nothing. */
const SLOW_SAVE_MS = 400;

const icons: Readonly<Record<SaveState, string>> = {
  idle: 'history',
  saving: 'history',
  saved: 'history',
  failed: 'warning',
  readOnly: 'lock',
};

/** One item: the active session and whether it is saved. A click opens the list. */
export function registerStatusBar(list: SessionList, sessions: Sessions): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('session', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Keepthread session');
  item.command = Command.list;
  let slow: NodeJS.Timeout | undefined;

  const update = (): void => {
    const title = plain(list.active?.title ?? '', 40) || 'Keepthread';
    const { reading } = sessions;
    const state = [
      stateWords(sessions.state, list.active?.last?.at),
      ...(reading ? [readingWords(reading)] : []),
    ];
    item.text =
      reading?.paused === false
        ? `$(sync~spin) ${readingWords(reading)}`
        : `$(${icons[sessions.state]}) ${escapeIcons(title)}`;
    item.tooltip = tooltip(title, state);
    item.accessibilityInformation = {
      label: [title, ...state].join(', '),
      role: 'button',
    };
    clearTimeout(slow);
    if (sessions.state === 'saving') slow = setTimeout(showSaving, SLOW_SAVE_MS);
  };
  const showSaving = (): void => {
    item.text = `$(sync~spin) ${vscode.l10n.t('Saving…')}`;
  };
  update();
  item.show();
  const subscriptions = [
    list.onDidChange(update),
    sessions.onDidChange(update),
    sessions.onDidRead(update),
  ];
  return new vscode.Disposable(() => {
    clearTimeout(slow);
    vscode.Disposable.from(...subscriptions, item).dispose();
  });
}

const tooltip = (title: string, state: readonly string[]): vscode.MarkdownString =>
  new vscode.MarkdownString(
    [`**${escapeMarkdown(title)}**`, ...state.map((line) => escapeMarkdown(line))].join('\n\n'),
  );

function stateWords(state: SaveState, savedAt: number | undefined): string {
  switch (state) {
    case 'saving':
      return vscode.l10n.t('Saving…');
    case 'failed':
      return vscode.l10n.t('The last save failed. The log says why; the next save is tried.');
    case 'readOnly':
      return vscode.l10n.t('A newer Keepthread wrote this data. It can be read here, not changed.');
    case 'idle':
    case 'saved':
      return savedAt === undefined
        ? vscode.l10n.t('Nothing is saved yet.')
        : vscode.l10n.t('Saved at {0}.', momentWords(savedAt, Date.now()));
  }
}
