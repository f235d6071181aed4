import * as vscode from 'vscode';
import type { Sessions } from '../sessions.js';
import type { Node } from '../views/nodes.js';
import { EXTENSION, IMPORT_VIEW } from './ids.js';

/** Session files dropped on the tree open as pages. */
export const dropSessionFiles: vscode.TreeDragAndDropController<Node> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list'],
  handleDrop: async (_target, transfer) => {
    const list = (await transfer.get('text/uri-list')?.asString()) ?? '';
    const files = list
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line))
      .filter(isSessionFile);
    const { openPage } = await import('./importSession.js');
    for (const file of files) await openPage(file);
  },
};

const isSessionFile = ({ scheme, path }: vscode.Uri): boolean =>
  scheme === 'file' && path.endsWith(EXTENSION);

/** `vscode://keepthread.keepthread/import?file=/path`: asks, then shows the page of that file. Nothing else is served. */
const registerAddress = (): vscode.Disposable =>
  vscode.window.registerUriHandler({
    handleUri: async (address) => {
      const file = new URLSearchParams(address.query).get('file');
      const uri = file === null ? undefined : vscode.Uri.file(file);
      if (address.path !== '/import' || uri === undefined || !isSessionFile(uri)) return;
      const look = vscode.l10n.t('Look at it');
      const choice = await vscode.window.showInformationMessage(
        vscode.l10n.t('A link asks to show a session file.'),
        { modal: true, detail: uri.fsPath },
        look,
      );
      if (choice !== look) return;
      const { openPage } = await import('./importSession.js');
      await openPage(uri);
    },
  });

const registerPage = (sessions: Sessions): vscode.Disposable =>
  vscode.window.registerCustomEditorProvider(IMPORT_VIEW, {
    openCustomDocument: (uri): vscode.CustomDocument => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      const { showPage } = await import('./showPage.js');
      await showPage(sessions, uri, panel);
    },
  });

/** The ways by which a session file comes into the window. The page's own code loads when one is opened. */
export const registerArrivals = (sessions: Sessions): vscode.Disposable =>
  vscode.Disposable.from(registerAddress(), registerPage(sessions));
