import * as vscode from 'vscode';
import type { Unlock } from '../../core/handoff.js';

/** What opens encrypted files, as long as the window lives; never written down. */
class Unlocks {
  private readonly changed = new vscode.EventEmitter<string>();
  /** Of a file, by its path. */
  readonly onDidChange = this.changed.event;
  private readonly byFile = new Map<string, Unlock>();

  of(file: string): Unlock | undefined {
    return this.byFile.get(file);
  }

  set(file: string, unlock: Unlock): void {
    this.byFile.set(file, unlock);
    this.changed.fire(file);
  }

  /** What is here of a file's session may differ now. */
  noteImport(file: string): void {
    this.changed.fire(file);
  }
}

export const unlocks = new Unlocks();
