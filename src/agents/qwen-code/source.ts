import { join } from 'node:path';
import { textOf } from '../json.js';
import { readEitherForm } from '../eitherForm.js';
import { isSessionId } from '../sessionIds.js';
import type { Source } from '../source.js';
import { findThreads, homesOf, qwenMemory, watchedFolders } from './find.js';
import { agent, qwenParser } from './parse.js';
import { recognises } from './recognise.js';

/** Alibaba's Qwen Code, made from Gemini CLI, with a store of its own since the end of 2025. */
export function createQwenCode(memory = qwenMemory()): Source {
  return {
    agent,
    name: 'Qwen Code',
    needsFolders: true,
    find: (query) => findThreads(query, memory),
    read: readEitherForm('messages'),
    merging: { idOf: ({ uuid, id }) => textOf(uuid) ?? textOf(id) },
    parser: qwenParser,
    recognises,
    watch: watchedFolders,
    places: (query) =>
      homesOf(query).flatMap((home) => [join(home, 'projects'), join(home, 'tmp')]),
    // To be started in the session's own folder: an id is looked up nowhere else.
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['qwen', '--resume', nativeId] : undefined),
  };
}

export const qwenCode = createQwenCode();
