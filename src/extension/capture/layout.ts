import * as vscode from 'vscode';
import type { Layout } from '../../core/model/editors.js';
import { layoutSchema } from '../../core/model/editors.js';
import { inShares } from '../../core/restore/layout.js';

/** How long the workbench may take to answer, in milliseconds. */
const patience = 1000;

/** The layout as it was last told, and how many groups there were. */
export interface LayoutMemory {
  last?: { readonly layout: Layout; readonly groups: number };
}

/**
 * The main window's grid of editor groups; undefined if VS Code does not tell it. While the extension
 * host shuts down no command is answered any more, and the last answer stands in if
 * there are as many groups as then.
 */
export async function captureLayout(memory: LayoutMemory): Promise<Layout | undefined> {
  const pixels = layoutSchema.safeParse(await askLayout());
  const groups = vscode.window.tabGroups.all.length;
  if (pixels.success) memory.last = { layout: inShares(pixels.data), groups };
  return memory.last?.groups === groups ? memory.last.layout : undefined;
}

function askLayout(): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience);
    vscode.commands
      .executeCommand('vscode.getEditorLayout')
      .then(resolve, () => resolve(undefined))
      .then(() => clearTimeout(timer));
  });
}
