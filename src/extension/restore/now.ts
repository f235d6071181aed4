import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Capture } from '../../core/engine.js';
import type { SnapshotContent } from '../../core/model/snapshot.js';
import { jsonBytes } from '../../core/jsonBytes.js';
import type { DiskState, Now } from '../../core/restore/now.js';
import { lookupsOf } from '../../core/restore/plan.js';

/** Larger files are not read to compare a draft with them; VS Code opens no text that large either. */
const maxDraftBytes = 50 * 1024 * 1024;

/** The window as a plan for `content` must know it, with everything looked up that the plan asks for. */
export async function readNow(capture: Capture, content: SnapshotContent): Promise<Now> {
  const { folders } = capture.environment;
  const lookups = lookupsOf(content, { folders });
  const [exists, files, foldersThere] = await Promise.all([
    lookUp(lookups.uris, (uri) => canOpen(vscode.Uri.parse(uri))),
    lookUp(lookups.drafts, readDisk),
    lookUp(lookups.folders, isFolder),
  ]);
  return {
    folders,
    trusted: vscode.workspace.isTrusted,
    editors: capture.editors ?? { groups: [{ tabs: [] }], activeGroup: 0, views: [] },
    drafts: capture.drafts.map(({ place, untitled, text }) => ({
      uri: place.uri,
      untitled,
      text: text === '' ? '' : textHash(text),
    })),
    terminals: capture.workbench?.terminals ?? [],
    breakpoints: capture.workbench?.breakpoints ?? [],
    exists: (uri) => exists.get(uri) ?? false,
    folderExists: (path) => foldersThere.get(path) ?? false,
    disk: (uri) => files.get(uri),
  };
}

/**
 * Whether there is something to open. `vscode.open` on a file that is gone shows an error tab and calls
 * it success, so files are looked up first; schemes without files (`git:`, `output:`) have to be tried.
 */
export async function canOpen(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined) return true;
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

async function readDisk(uri: string): Promise<DiskState | undefined> {
  const file = vscode.Uri.parse(uri);
  try {
    if ((await vscode.workspace.fs.stat(file)).size > maxDraftBytes) return undefined;
    const bytes = await vscode.workspace.fs.readFile(file);
    return { bytes: sha256(bytes), text: textHash(new TextDecoder().decode(bytes)) };
  } catch {
    return undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function lookUp<T>(
  keys: readonly string[],
  find: (key: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  return new Map(await Promise.all(keys.map(async (key) => [key, await find(key)] as const)));
}

const textHash = (text: string): string => sha256(jsonBytes(text));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
