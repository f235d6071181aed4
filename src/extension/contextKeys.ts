import * as vscode from 'vscode';
import type { ContextKey } from './ids.js';

const last = new Map<ContextKey, boolean>();

/** Sets a key for `when` clauses; the window is asked only when the value differs from the last one. */
export function setContext(key: ContextKey, value: boolean): void {
  if (last.get(key) === value) return;
  last.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
