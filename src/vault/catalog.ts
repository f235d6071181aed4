import { readFile } from 'node:fs/promises';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import type { Catalog } from '../core/model/session.js';
import { catalogSchema } from '../core/model/session.js';
import { setAside } from './setAside.js';
import { writeAtomic } from './writeAtomic.js';
import { codeOf } from './writeError.js';

export interface ReadCatalog {
  /** Absent when there is none yet, or when it could not be used. */
  readonly catalog?: Catalog | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Reads `catalog.json`, the sessions list as of the last save. One that is damaged, or of a version that
 * this one does not know, is moved to its name plus the date.
 */
export async function readCatalog(file: string): Promise<ReadCatalog> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return { problems: [] };
    }
    return unusable(file, messageOf(error));
  }
  const catalog = parse(text);
  return catalog === undefined
    ? unusable(file, 'it is damaged or of another version')
    : { catalog, problems: [] };
}

/**
 * Replaces `catalog.json`, whole.
 *
 * @throws ExpectedError `diskFull`, `notWritable` or `writeFailed`
 */
export const writeCatalog = (file: string, catalog: Catalog): Promise<void> =>
  writeAtomic(file, new TextEncoder().encode(JSON.stringify(catalog)));

function parse(text: string): Catalog | undefined {
  try {
    const parsed = catalogSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

async function unusable(file: string, why: string): Promise<ReadCatalog> {
  const message = await setAside(file).then(
    (aside) => `The sessions list could not be used (${why}). It was moved to ${aside}.`,
    (error: unknown) =>
      `The sessions list could not be used (${why}) nor moved away (${messageOf(error)}).`,
  );
  return { problems: [{ where: file, message }] };
}
