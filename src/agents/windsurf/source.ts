import { headRecords } from '../fileHead.js';
import { readJsonl } from '../jsonl.js';
import type { Source } from '../source.js';
import { findThreads, sealedStores, transcriptFolders, windsurfHeads } from './find.js';
import { agent, stepOf, windsurfParser } from './parse.js';

/**
 * Windsurf's Cascade, as far as it can be read: transcripts for hooks. Its own store is encrypted, and no
 * command opens a conversation.
 */
export function createWindsurf(heads = windsurfHeads()): Source {
  return {
    agent,
    name: 'Windsurf',
    needsFolders: true,
    find: (query) => findThreads(query, heads),
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    parser: windsurfParser,
    recognises: (head) =>
      headRecords(head).some((record) => 'status' in record && stepOf(record) !== undefined),
    watch: transcriptFolders,
    places: (query) => [...transcriptFolders(query), ...sealedStores(query)],
  };
}

export const windsurf = createWindsurf();
