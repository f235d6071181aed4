import * as vscode from 'vscode';
import { isExpected } from '../../core/errors.js';
import { wordsOf } from '../errors.js';
import { dropSessionFiles } from '../handoff/arrivals.js';
import { ContextKey, View } from '../ids.js';
import { setContext } from '../contextKeys.js';
import type { Sessions } from '../sessions.js';
import type { SessionList } from './sessionList.js';
import { SessionsTree } from './sessionsTree.js';
import { readingWords } from './words.js';

export interface SessionsView {
  showOlder(sessionId: string): void;
  dispose(): void;
}

/** The view "Sessions": the tree, its badge, its message and the keys that its welcome texts depend on. */
export function registerSessionsView(list: SessionList, sessions: Sessions): SessionsView {
  const tree = new SessionsTree(list, sessions);
  const view = vscode.window.createTreeView(View.sessions, {
    treeDataProvider: tree,
    canSelectMany: true,
    dragAndDropController: dropSessionFiles,
    showCollapseAll: true,
  });
  const update = (): void => {
    setContext(ContextKey.ready, list.ready);
    setContext(ContextKey.readOnly, sessions.state === 'readOnly');
    const { shown } = list.filter;
    const isFrom = list.all.some((session) => list.filter.originOf(session) !== undefined);
    setContext(ContextKey.hasElsewhere, isFrom || shown.onlyHere);
    setContext(ContextKey.onlyThisFolder, shown.onlyHere);
    setContext(
      ContextKey.hasArchived,
      list.all.some(({ archived }) => archived === true),
    );
    setContext(ContextKey.archivedShown, shown.archived);
    setContext(ContextKey.attached, sessions.isAttached);
    view.description = shown.onlyHere ? vscode.l10n.t('this folder') : '';
    view.badge = badge(sessions.unsavedThreads);
    showReading();
  };
  const bar = new ReadingBar();
  const showReading = (): void => {
    const { reading } = sessions;
    setContext(ContextKey.isReading, reading?.paused === false);
    setContext(ContextKey.isReadingPaused, reading?.paused === true);
    bar.show(reading?.paused === false);
    view.message = message(list.failure) || (reading ? readingWords(reading) : '');
  };
  update();
  const subscriptions = [
    list.onDidChange(update),
    sessions.onDidChange(update),
    sessions.onDidRead(showReading),
    bar,
  ];
  return {
    showOlder: (sessionId) => tree.showOlder(sessionId),
    dispose: () => {
      vscode.Disposable.from(...subscriptions, view, tree).dispose();
    },
  };
}

function badge(unsaved: number): vscode.ViewBadge | undefined {
  if (unsaved === 0) return undefined;
  const tooltip =
    unsaved === 1
      ? vscode.l10n.t('1 conversation went on since the last snapshot')
      : vscode.l10n.t('{0} conversations went on since the last snapshot', unsaved);
  return { value: unsaved, tooltip };
}

function message(failure: unknown): string {
  if (failure === undefined) return '';
  return isExpected(failure)
    ? wordsOf(failure)
    : vscode.l10n.t('The sessions could not be read. The log has the details.');
}

/** The moving bar below the view's title. */
class ReadingBar {
  private end: (() => void) | undefined;

  show(isReading: boolean): void {
    if (!isReading) this.dispose();
    else if (this.end === undefined) {
      const ended = new Promise<void>((resolve) => (this.end = resolve));
      void vscode.window.withProgress({ location: { viewId: View.sessions } }, () => ended);
    }
  }

  dispose(): void {
    this.end?.();
    this.end = undefined;
  }
}
