import { join } from 'node:path';
import { textOf } from '../json.js';
import { readJsonl } from '../jsonl.js';
import type { Source } from '../source.js';
import { claudeHeads, findThreads, homesOf, projectFolders } from './find.js';
import { resumeArgv } from './launch.js';
import { claudeParser } from './parse.js';
import { recognises } from './recognise.js';

/** Claude Code's sessions and subagents, on every platform under `~/.claude/projects`. */
export function createClaudeCode(heads = claudeHeads()): Source {
  return {
    agent: 'claude-code',
    name: 'Claude Code',
    find: (query) => findThreads(query, heads),
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    merging: { idOf: ({ uuid }) => textOf(uuid) },
    parser: claudeParser,
    recognises,
    watch: projectFolders,
    places: (query) => homesOf(query).map((home) => join(home, 'projects')),
    resume: ({ nativeId }) => resumeArgv(nativeId),
  };
}

export const claudeCode = createClaudeCode();
