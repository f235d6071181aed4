import { basename } from 'node:path';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { readWholeFile } from '../stateFile.js';
import { findThreads, historyFiles, type AiderMemory } from './find.js';
import { blocksOf, header, isSectionId, ownIdOf, sectionsOf } from './history.js';
import { restoreArgv } from './launch.js';
import { agent, aiderParser } from './parse.js';

/**
 * Aider keeps all sessions of a folder in one Markdown file. Its own command goes on with all of a file, so only a
 * conversation that has a file of its own can be gone on with.
 */
export function createAider(memory: AiderMemory = new Map()): Source {
  return {
    agent,
    name: 'Aider',
    needsFolders: true,
    find: (query) => findThreads(query, memory),
    read: ({ nativeId, path }, cursor, signal) =>
      readWholeFile(
        (bytes) => blocksOf(partOf(withoutMark(bytes), path, nativeId)),
        path,
        cursor,
        signal,
      ),
    parser: aiderParser,
    recognises: (head) => new RegExp(header, 'm').test(head.replace(/^\uFEFF/, '')),
    watch: historyFiles,
    resume: ({ nativeId }) => (isSessionId(nativeId) ? restoreArgv(nativeId) : undefined),
  };
}

export const aider = createAider();

const mark = Buffer.from('\uFEFF');

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes;

/** A thread's section; without such an id, and of a file that holds one conversation, all of them. */
function partOf(bytes: Buffer, path: string, id: string): Buffer {
  if (ownIdOf(basename(path)) !== undefined || !isSectionId(id)) return bytes;
  const section = sectionsOf(bytes).find((one) => one.id === id);
  return bytes.subarray(section?.from ?? 0, section?.to ?? 0);
}
