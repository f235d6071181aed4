import * as vscode from 'vscode';
import type { DraftText } from '../../core/engine.js';
import { placeOf } from './places.js';

/** A longer text is most likely a paste of data; its tab is still named. In characters. */
const maxLength = 5_000_000;

/**
 * Text that is not on disk: untitled documents, and unsaved changes to files. Notebooks and custom
 * editors are marked dirty at their tabs only, since their state is not one text.
 */
export const captureDrafts = (): readonly DraftText[] =>
  vscode.workspace.textDocuments.filter(isDraft).flatMap((document) => {
    const text = document.getText();
    if (text.length > maxLength) return [];
    const { isUntitled: untitled, languageId } = document;
    return { place: placeOf(document.uri), untitled, languageId, text };
  });

/** Whether a document holds text that a restore could put back; blank when VS Code has lost it. */
export function isDraft(document: vscode.TextDocument): boolean {
  const { uri, isUntitled, isDirty, isClosed } = document;
  if (isClosed) return false;
  // VS Code tells only some time after an edit that a new document is dirty.
  if (isUntitled) return uri.scheme === 'untitled' && (isDirty || document.getText() !== '');
  return isDirty && vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}
