import * as vscode from 'vscode';
import type { Place } from '../../core/model/editors.js';

/** Where a document is, in a form that another window can follow. */
export function placeOf(uri: vscode.Uri): Place {
  const git = uri.scheme === 'git' ? readGitQuery(uri.query) : undefined;
  const file = git === undefined ? uri : vscode.Uri.file(git.path);
  return { uri: uri.toString(), ...belowFolder(file), ...(git === undefined ? {} : { git }) };
}

function belowFolder(uri: vscode.Uri): Pick<Place, 'folder' | 'path'> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return {};
  const root = folder.uri.toString().replace(/\/?$/, '/');
  const whole = uri.toString();
  return whole.startsWith(root) ? { folder: folder.name, path: whole.slice(root.length) } : {};
}

/** The git extension writes `{"path": ..., "ref": ...}`; an empty ref means the working tree. */
function readGitQuery(query: string): Place['git'] {
  let value: unknown;
  try {
    value = JSON.parse(query);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('path' in value && 'ref' in value)) {
    return undefined;
  }
  const { path, ref } = value;
  return typeof path === 'string' && typeof ref === 'string' ? { path, ref } : undefined;
}
