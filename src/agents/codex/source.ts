import { readJsonl } from '../jsonl.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { readStateFile } from '../stateFile.js';
import { compressedReader, isCompressed } from './compressed.js';
import { codexHeads, findThreads, watchedFolders } from './find.js';
import { codexParser } from './parse.js';
import { recognises } from './recognise.js';

/** OpenAI Codex: its command line, its editor extension and its desktop program share one store. */
export function createCodex(heads = codexHeads()): Source {
  const readCompressed = compressedReader();
  return {
    agent: 'codex',
    name: 'Codex',
    find: (query) => findThreads(query, heads),
    read: (found, cursor, signal) => {
      if (isCompressed(found.path)) return readCompressed(found, cursor, signal);
      return found.path.endsWith('.json')
        ? readStateFile('items', found.path, cursor, signal)
        : readJsonl(found.path, cursor, signal);
    },
    parser: codexParser,
    recognises,
    watch: watchedFolders,
    // Found by its id, from any folder.
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['codex', 'resume', nativeId] : undefined),
  };
}

export const codex = createCodex();
