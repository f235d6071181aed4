import * as vscode from 'vscode';
import { inFolders, likeliest } from '../../core/thread/filePaths.js';
import type { LinkTarget } from '../../core/thread/document.js';

type FileTarget = Extract<LinkTarget, { kind: 'file' }>;

/** Files whose names are looked through for one that has moved. */
const mostFiles = 20_000;
/** Files that are read to find one again by what it held, and how large each may be. */
const mostRead = 500;
const largestRead = 512 * 1024;

/** How long what was found stays true: files come and go while an agent works. */
const staleMs = 5000;

/** Finds the files that a transcript names in the window's folders, moved ones too. */
export class FileFinder {
  private names: Promise<ReadonlyMap<string, readonly vscode.Uri[]>> | undefined;
  private readonly found = new Map<string, Promise<vscode.Uri | undefined>>();
  private begunAt = 0;

  /** The file's address, or undefined where it is not there, or outside of the window's folders. */
  find(target: FileTarget, cwd: string | undefined): Promise<vscode.Uri | undefined> {
    if (Date.now() - this.begunAt > staleMs) {
      this.names = undefined;
      this.found.clear();
      this.begunAt = Date.now();
    }
    const key = JSON.stringify([target.path, target.holds, cwd]);
    const known = this.found.get(key) ?? this.look(target, cwd);
    this.found.set(key, known);
    return known;
  }

  private async look(
    { path, holds }: FileTarget,
    cwd: string | undefined,
  ): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const candidate = inFolders(
      path,
      cwd,
      folders.map(({ uri }) => uri.fsPath),
    );
    if (candidate === undefined) return undefined;
    const { relative, folder } = candidate;
    for (const { uri } of folders.filter(
      (each) => folder === undefined || each.uri.fsPath === folder,
    )) {
      const there = vscode.Uri.joinPath(uri, relative);
      if (await isFile(there)) return there;
    }
    return this.moved(relative, holds);
  }

  /** By its name where only one file has it, else by what it held. */
  private async moved(
    relative: string,
    holds: readonly string[] | undefined,
  ): Promise<vscode.Uri | undefined> {
    this.names ??= fileNames();
    const names = await this.names;
    const same = names.get(baseName(relative)) ?? [];
    if (holds === undefined) {
      const paths = same.map((uri) => vscode.workspace.asRelativePath(uri, false));
      const best = likeliest(relative, paths);
      return best === undefined ? undefined : same[paths.indexOf(best)];
    }
    const byContent = await holding(same, holds);
    if (byContent !== undefined || same.length === 1) return byContent ?? same[0];
    const ending = /\.\w+$/.exec(relative)?.[0] ?? '';
    const others = [...names.values()].flat().filter(({ path }) => path.endsWith(ending));
    return ending === '' ? undefined : holding(others, holds);
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function fileNames(): Promise<ReadonlyMap<string, readonly vscode.Uri[]>> {
  const names = new Map<string, vscode.Uri[]>();
  const skipped = '**/{node_modules,.git}/**';
  for (const uri of await vscode.workspace.findFiles('**/*', skipped, mostFiles)) {
    const name = baseName(uri.path);
    const same = names.get(name);
    if (same === undefined) names.set(name, [uri]);
    else same.push(uri);
  }
  return names;
}

/** The only file that has all these lines. */
async function holding(
  files: readonly vscode.Uri[],
  lines: readonly string[],
): Promise<vscode.Uri | undefined> {
  const matches: vscode.Uri[] = [];
  for (const uri of files.slice(0, mostRead)) {
    const text = await textOf(uri);
    if (text !== undefined && lines.every((line) => text.includes(line))) matches.push(uri);
    if (matches.length > 1) return undefined;
  }
  return matches[0];
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > largestRead) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
