import { isInside } from './folders.js';
import type { SourceQuery } from './source.js';

type Scope = Pick<SourceQuery, 'folders' | 'everywhere'>;

/** Whether a query can have any thread at all: one of a window without folders has none. */
export const asksForAny = ({ folders, everywhere = false }: Scope): boolean =>
  everywhere || folders.length > 0;

/** Whether a thread is asked for that worked in this folder; undefined: nobody knows where it worked. */
export const isWanted = (
  cwd: string | undefined,
  { folders, everywhere = false }: Scope,
): boolean => everywhere || (cwd !== undefined && isInside(cwd, folders));
