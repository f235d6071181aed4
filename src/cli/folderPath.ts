import { fileURLToPath } from 'node:url';

/** A folder on this machine by its path, any other by its URI. */
export function folderPath(uri: string | undefined): string {
  try {
    return uri?.startsWith('file:') ? fileURLToPath(uri) : (uri ?? '');
  } catch {
    return uri ?? '';
  }
}
