import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { KeepthreadApi } from '../../src/extension/api.js';
import type { CommandSignatures } from '../../src/extension/ids.js';

/** The extension as another extension gets it. */
export async function keepthread(): Promise<KeepthreadApi> {
  const extension = vscode.extensions.getExtension<KeepthreadApi>('keepthread.keepthread');
  assert.ok(extension);
  return extension.activate();
}

/** Calls a command as another extension does. */
export const call = <K extends keyof CommandSignatures>(
  id: K,
  ...args: Parameters<CommandSignatures[K]>
): Thenable<ReturnType<CommandSignatures[K]>> => vscode.commands.executeCommand(id, ...args);
