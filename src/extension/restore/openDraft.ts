import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.js';
import type { Place } from '../../core/model/editors.js';
import { placeLabel } from '../../core/restore/places.js';
import type { RestoreStep } from '../../core/restore/types.js';
import { isDraft } from '../capture/drafts.js';
import { placeOf } from '../capture/places.js';
import { focusGroup } from './groups.js';
import { settle, standBefore } from './openTab.js';
import type { StepResult } from './stepResult.js';
import { done, failed, skipped } from './stepResult.js';
import { columnOf } from './tabModel.js';
import { showView } from './view.js';

type DraftStep = Extract<RestoreStep, { readonly kind: 'draft' }>;

export interface OpenedDraft {
  readonly result: StepResult;
  /** The document that holds the text; VS Code chooses the numbers of untitled ones. */
  readonly place: Place;
}

/**
 * Puts unsaved text back: into its document, or into a new untitled one in its group.
 *
 * @param readText gives a text by its hash
 */
export async function openDraft(
  step: DraftStep,
  readText: (hash: string) => Promise<string>,
): Promise<OpenedDraft> {
  const { draft, place } = step;
  let text: string;
  try {
    text = await readText(draft.text);
  } catch (error) {
    return { result: failed(messageOf(error), 'unreadable'), place };
  }
  if (step.index === undefined) return { result: await fill(step, text), place };
  return openUntitled(step, step.index, text);
}

async function fill({ place, group, view }: DraftStep, text: string): Promise<StepResult> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
  if (isDraft(document) && document.getText() !== '') return skipped('differentDraft');
  if (!(await replaceText(document, text))) return failed();
  if (view !== undefined) await showView(view, group);
  return done;
}

async function openUntitled(step: DraftStep, index: number, text: string): Promise<OpenedDraft> {
  const { draft, group, view } = step;
  // Unsaved text that has no tab for most of a second gets one by itself, in the active group.
  await focusGroup(group);
  await standBefore(group, index);
  const named = !/^untitled:Untitled-\d+$/.test(step.place.uri);
  const document = named
    ? await vscode.workspace.openTextDocument(vscode.Uri.parse(step.place.uri))
    : await newDocument(text, draft.languageId);
  const place = placeOf(document.uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: columnOf(group),
    preview: false,
    preserveFocus: true,
  });
  if (named) {
    await setLanguage(document, draft.languageId);
    if (!(await replaceText(document, text))) return { result: failed(), place };
  }
  await settle({ kind: 'text', place, label: placeLabel(place) }, group, index);
  if (view !== undefined) await showView({ ...view, place }, group);
  return { result: done, place };
}

/** As a person makes one: opened by its name, VS Code would take the name for a path at the next start. */
async function newDocument(content: string, languageId: string): Promise<vscode.TextDocument> {
  const known = await vscode.languages.getLanguages();
  const language = known.includes(languageId) ? { language: languageId } : {};
  return vscode.workspace.openTextDocument({ content, ...language });
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
