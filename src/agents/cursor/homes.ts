import { join } from 'node:path';
import { withHome } from '../places.js';
import type { SourceQuery } from '../source.js';

/** Of the command line, and of transcripts: `CURSOR_DATA_DIR` replaces `~/.cursor`. */
export const homesOf = ({ env, userHome, homes }: SourceQuery): readonly string[] => [
  ...new Set([withHome(env['CURSOR_DATA_DIR'] || join('~', '.cursor'), userHome), ...homes]),
];
