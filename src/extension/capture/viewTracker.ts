import * as vscode from 'vscode';
import type { SelectionTuple, Tab, ViewState } from '../../core/model/editors.js';
import { anchorLength } from '../../core/restore/anchor.js';
import { placesOf } from '../../core/restore/tabs.js';
import { placeOf } from './places.js';
import { groupsInOrder } from './tabs.js';

type View = Omit<ViewState, 'group'>;

/**
 * Remembers selection and scroll of editors that are not visible any more: VS Code tells them for
 * visible editors only, so they are noted while they are.
 */
export class ViewTracker implements vscode.Disposable {
  /** By document, then by the column in which it was seen, the newest last. */
  private readonly seen = new Map<string, Map<vscode.ViewColumn, View>>();
  private readonly listeners = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.note(textEditor)),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.note(textEditor)),
  );

  /** The views of all open tabs that were seen; what is not open any more is forgotten. */
  capture(groups: readonly { readonly tabs: readonly Tab[] }[]): ViewState[] {
    for (const editor of vscode.window.visibleTextEditors) this.note(editor);
    const columns = groupsInOrder().map((group) => group.viewColumn);
    const open = new Set<string>();
    const views = groups.flatMap(({ tabs }, group) =>
      tabs.flatMap((tab) => {
        const place = placesOf(tab).at(-1);
        if (place === undefined) return [];
        open.add(place.uri);
        const view = this.find(place.uri, columns[group]);
        return view === undefined ? [] : { ...view, group };
      }),
    );
    for (const uri of this.seen.keys()) {
      if (!open.has(uri)) this.seen.delete(uri);
    }
    return views;
  }

  dispose(): void {
    this.listeners.dispose();
  }

  private find(uri: string, column: vscode.ViewColumn | undefined): View | undefined {
    const views = this.seen.get(uri);
    if (views === undefined) return undefined;
    // Columns are counted anew when a group goes away, so the newest one stands in.
    return (column === undefined ? undefined : views.get(column)) ?? [...views.values()].at(-1);
  }

  private note(editor: vscode.TextEditor): void {
    // Editors outside of groups: output, comments, the chat's input.
    if (editor.viewColumn === undefined) return;
    const uri = editor.document.uri.toString();
    const views = this.seen.get(uri) ?? new Map<vscode.ViewColumn, View>();
    views.delete(editor.viewColumn);
    views.set(editor.viewColumn, viewOf(editor));
    this.seen.set(uri, views);
  }
}

function viewOf({ document, selections, selection, visibleRanges }: vscode.TextEditor): View {
  const top = visibleRanges[0]?.start.line;
  const line = Math.min(selection.active.line, document.lineCount - 1);
  return {
    place: placeOf(document.uri),
    selections: selections.map(tupleOf),
    ...(top === undefined ? {} : { top }),
    anchor: document.lineAt(line).text.slice(0, anchorLength),
  };
}

const tupleOf = ({ anchor, active }: vscode.Selection): SelectionTuple => [
  anchor.line,
  anchor.character,
  active.line,
  active.character,
];
