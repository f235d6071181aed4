import * as vscode from 'vscode';
import type { Environment } from '../../core/model/workbench.js';

/** @param version of this extension */
export const captureEnvironment = (version: string): Environment => ({
  vscode: vscode.version,
  keepthread: version,
  os: process.platform,
  arch: process.arch,
  node: process.versions.node,
  remote: vscode.env.remoteName,
  folders: foldersNow(),
  // The engine adds the versions that it reads in the agents' records.
  agents: {},
});

export const foldersNow = (): { name: string; uri: string }[] =>
  (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, uri: uri.toString() }));
