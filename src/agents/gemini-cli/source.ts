import { textOf } from '../json.js';
import { readEitherForm } from '../eitherForm.js';
import type { Source } from '../source.js';
import { findThreads, geminiMemory, watchedFolders } from './find.js';
import { resumeArgv } from './launch.js';
import { geminiParser } from './parse.js';
import { recognises } from './recognise.js';

/** Google's Gemini CLI: logs of JSON lines, formerly files that were one object. */
export function createGeminiCli(memory = geminiMemory()): Source {
  return {
    agent: 'gemini-cli',
    name: 'Gemini CLI',
    needsFolders: true,
    find: (query) => findThreads(query, memory),
    read: readEitherForm('messages', true),
    merging: { idOf: ({ id }) => textOf(id) },
    parser: geminiParser,
    recognises,
    hasKin: true,
    watch: watchedFolders,
    resume: resumeArgv,
  };
}

export const geminiCli = createGeminiCli();
