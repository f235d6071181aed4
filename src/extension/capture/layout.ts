import * as vscode from 'vscode';
import type { Layout } from '../../core/model/editors.js';
import { layoutSchema } from '../../core/model/editors.js';
import { inShares } from '../../core/restore/layout.js';

/** The layout as it was last told, and how many groups there were. */
export interface LayoutMemory {
  last?: { readonly layout: Layout; readonly groups: number };
  /** The extension host shuts down: the workbench is gone, and no command is ever answered. */
  isClosing: boolean;
}

/**
 * The main window's grid of editor groups; undefined if VS Code does not tell it. As the window closes,
 * the last answer stands in if there are as many groups as then.
 */
export async function captureLayout(memory: LayoutMemory): Promise<Layout | undefined> {
  const groups = vscode.window.tabGroups.all.length;
  if (!memory.isClosing) {
    const pixels = layoutSchema.safeParse(
      await vscode.commands.executeCommand('vscode.getEditorLayout'),
    );
    if (pixels.success) memory.last = { layout: inShares(pixels.data), groups };
  }
  return memory.last?.groups === groups ? memory.last.layout : undefined;
}
