import * as vscode from 'vscode';
import type { ThreadImage, ThreadPart } from '../../core/engine.js';
import type { Sessions } from '../sessions.js';
import { addressOf, partUri } from './partUri.js';
import { fileName } from './threadUri.js';

export const imageScheme = 'keepthread-image';

/** What files of these kinds begin with; what a transcript calls its image is not believed. */
const kinds: readonly (readonly [ending: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['bmp', /^BM/],
  ['avif', /^[^]{4}ftyp(?:avif|avis)/],
];

/** How a file that begins so is to be called; `bin` when it is no image that the editor shows. */
export function endingOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return kinds.find(([, start]) => start.test(head))?.[0] ?? 'bin';
}

/** The image's own name, with an ending that fits what it is. */
export const imageName = ({ name, bytes }: ThreadImage): string =>
  `${fileName((name ?? 'image').slice(-80)).replace(/\.\w{1,5}$/, '') || 'image'}.${endingOf(bytes)}`;

/** Images that were looked at last: the editor asks several times for each. */
const keptImages = 4;

/** Images of transcripts as read-only files, so that VS Code's own image viewer shows them. */
export class ThreadImages implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly kept = new Map<string, Promise<ThreadImage>>();

  constructor(private readonly sessions: Sessions) {}

  /** @throws ExpectedError `imageMissing` */
  read(part: ThreadPart): Promise<ThreadImage> {
    const key = JSON.stringify([part.threadId, part.leaf, part.place.turn, part.place.part]);
    const image =
      this.kept.get(key) ?? this.sessions.engine().then((engine) => engine.threadImage(part));
    this.kept.delete(key);
    this.kept.set(key, image);
    image.catch(() => this.kept.delete(key));
    for (const oldest of [...this.kept.keys()].slice(0, -keptImages)) this.kept.delete(oldest);
    return image;
  }

  /** The address under which the image can be opened. */
  async uriOf(part: ThreadPart): Promise<vscode.Uri> {
    return partUri(imageScheme, part, imageName(await this.read(part)));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes } = await this.readAt(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: bytes.length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.readAt(uri)).bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async readAt(uri: vscode.Uri): Promise<ThreadImage> {
    const address = addressOf(uri);
    try {
      return await this.read(address);
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }
}
