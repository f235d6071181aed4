import { join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { readJsonl } from '../jsonl.js';
import type { Source } from '../source.js';
import { createPlaces, findThreads } from './find.js';
import { agent, antigravityParser, isStep } from './parse.js';

/** Antigravity, as far as it keeps transcripts: its conversations themselves are in a form of its own. */
export function createAntigravity(): Source {
  const places = createPlaces();
  return {
    agent,
    name: 'Antigravity',
    find: (query) => findThreads(query, places),
    read: ({ path }, cursor, signal) => readJsonl(path, cursor, signal),
    parser: antigravityParser,
    recognises: (head) => headRecords(head).some(isStep),
    watch: ({ userHome, homes }) =>
      [
        join(userHome, '.gemini', 'antigravity'),
        join(userHome, '.gemini', 'antigravity-cli'),
        ...homes,
      ].map((home) => join(home, 'brain')),
  };
}

export const antigravity = createAntigravity();
