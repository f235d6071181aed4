import * as vscode from 'vscode';
import type { Layout } from '../../core/model/editors.js';
import { layoutSchema } from '../../core/model/editors.js';
import { inShares } from '../../core/restore/layout.js';

/** The main window's grid of editor groups; undefined if VS Code does not tell it. */
export async function captureLayout(): Promise<Layout | undefined> {
  const pixels = layoutSchema.safeParse(
    await vscode.commands.executeCommand('vscode.getEditorLayout'),
  );
  return pixels.success ? inShares(pixels.data) : undefined;
}
