import { readEitherForm } from '../eitherForm.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { compressedReader, isCompressed } from './compressed.js';
import { codexHeads, findThreads, homesOf, watchedFolders } from './find.js';
import { codexParser } from './parse.js';
import { recognises } from './recognise.js';

/** OpenAI Codex: its command line, its editor extension and its desktop program share one store. */
export function createCodex(heads = codexHeads()): Source {
  const readCompressed = compressedReader();
  // Rollouts of the first program are one object each.
  const readPlain = readEitherForm('items');
  return {
    agent: 'codex',
    name: 'Codex',
    find: (query) => findThreads(query, heads),
    read: (found, cursor, signal) =>
      (isCompressed(found.path) ? readCompressed : readPlain)(found, cursor, signal),
    parser: codexParser,
    recognises,
    watch: watchedFolders,
    attachments: homesOf,
    // Found by its id, from any folder.
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['codex', 'resume', nativeId] : undefined),
  };
}

export const codex = createCodex();
