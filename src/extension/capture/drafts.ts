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

/** Whether a document holds text that a restore could put back. */
export function isDraft({ uri, isUntitled, isDirty, isClosed }: vscode.TextDocument): boolean {
  if (isClosed) return false;
  if (isUntitled) return uri.scheme === 'untitled' && isDirty;
  return isDirty && vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}
