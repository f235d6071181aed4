import * as vscode from 'vscode';
import type { Place } from '../../core/model/editors.js';

/** The part of the git extension's API, version 1, that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { toGitUri(uri: vscode.Uri, ref: string): vscode.Uri };
}

/** A file at a git ref as this window's git extension names it; undefined without that extension. */
export async function toGitUri(git: NonNullable<Place['git']>): Promise<vscode.Uri | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  const exports = await extension.activate();
  // `getAPI` throws when git is turned off in the settings.
  if (!exports.enabled) return undefined;
  return exports.getAPI(1).toGitUri(vscode.Uri.file(git.path), git.ref);
}
