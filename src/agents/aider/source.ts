import type { Source } from '../source.js';
import { readWholeFile } from '../stateFile.js';
import { findThreads, historyFiles, type AiderMemory } from './find.js';
import { blocksOf, header, isSectionId, sectionsOf } from './history.js';
import { agent, aiderParser } from './parse.js';

/**
 * Aider keeps all sessions of a folder in one Markdown file. Its own command goes on with the file's end,
 * not with a session.
 */
export function createAider(memory: AiderMemory = new Map()): Source {
  return {
    agent,
    name: 'Aider',
    needsFolders: true,
    find: (query) => findThreads(query, memory),
    read: ({ nativeId, path }, cursor, signal) =>
      readWholeFile((bytes) => blocksOf(partOf(bytes, nativeId)), path, cursor, signal),
    parser: aiderParser,
    recognises: (head) => new RegExp(header, 'm').test(head),
    watch: historyFiles,
  };
}

export const aider = createAider();

/** A thread's section; without such an id, all of them. */
function partOf(bytes: Buffer, id: string): Buffer {
  if (!isSectionId(id)) return bytes;
  const section = sectionsOf(bytes).find((one) => one.id === id);
  return bytes.subarray(section?.from ?? 0, section?.to ?? 0);
}
