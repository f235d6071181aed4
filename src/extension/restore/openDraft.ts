import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.js';
import type { Tab } from '../../core/model/editors.js';
import { placeLabel } from '../../core/restore/places.js';
import type { RestoreStep } from '../../core/restore/types.js';
import { isDraft } from '../capture/drafts.js';
import { settle, standBefore } from './openTab.js';
import type { StepResult } from './stepResult.js';
import { done, failed, skipped } from './stepResult.js';
import { columnOf } from './tabModel.js';
import { showView } from './view.js';

type DraftStep = Extract<RestoreStep, { readonly kind: 'draft' }>;

/**
 * Puts unsaved text back. An untitled document is opened by its name and then filled: one that is made
 * with its content gets another name, and a second tab in the active group (seen on VS Code 1.139).
 *
 * @param readText gives a text by its hash
 */
export async function openDraft(
  step: DraftStep,
  readText: (hash: string) => Promise<string>,
): Promise<StepResult> {
  const { draft, place, group, index, view } = step;
  let text: string;
  try {
    text = await readText(draft.text);
  } catch (error) {
    return failed(messageOf(error), 'unreadable');
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
  if (isDraft(document) && document.getText() !== '') return skipped('differentDraft');
  if (index !== undefined) {
    await standBefore(group, index);
    const options = { viewColumn: columnOf(group), preview: false, preserveFocus: true };
    await vscode.window.showTextDocument(document, options);
    await setLanguage(document, draft.languageId);
  }
  if (!(await replaceText(document, text))) return failed();
  if (index !== undefined) {
    const tab: Tab = { kind: 'text', place, label: placeLabel(place) };
    await settle(tab, group, index);
  }
  if (view !== undefined) await showView(view, group);
  return done;
}

async function setLanguage(document: vscode.TextDocument, languageId: string): Promise<void> {
  if (document.languageId === languageId) return;
  const known = await vscode.languages.getLanguages();
  // The extension that brought the language may not be here.
  if (known.includes(languageId)) {
    await vscode.languages.setTextDocumentLanguage(document, languageId);
  }
}

function replaceText(document: vscode.TextDocument, text: string): Thenable<boolean> {
  const end = document.lineAt(document.lineCount - 1).range.end;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  return vscode.workspace.applyEdit(edit);
}
