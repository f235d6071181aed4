import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** No agent takes a larger picture. */
const largest = 32 * 1024 * 1024;

export interface NamedImage {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/**
 * The picture in a file that a record names, where it lies in a folder that its agent keeps such files in. A record is
 * not trusted: any other file stays unread, by whatever links its name leads to it, and so does what is no picture.
 *
 * @param name an absolute path or a `file:` URI
 * @param folders the agent's own; they may not exist
 */
export async function readNamedImage(
  name: string,
  folders: readonly string[],
): Promise<NamedImage | undefined> {
  const path = await realpath(pathOf(name)).catch(() => undefined);
  if (path === undefined || !isAbsolute(pathOf(name))) return undefined;
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  if (!roots.some((root) => root !== undefined && path.startsWith(root + sep))) return undefined;
  const file = await open(path, flags);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > largest) return undefined;
    const bytes = await file.readFile();
    const mediaType = mediaTypeOf(bytes);
    return mediaType === undefined ? undefined : { mediaType, bytes };
  } finally {
    await file.close();
  }
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A pipe without a writer must not hold us. Of what Windows does not have, no bit is set. */
const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

function pathOf(name: string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name;
  } catch {
    return '';
  }
}

const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^BM[\s\S]{12}/, 'image/bmp'],
];

const mediaTypeOf = (bytes: Buffer): string | undefined => {
  const head = bytes.toString('latin1', 0, 16);
  return signatures.find(([signature]) => signature.test(head))?.[1];
};
