import { join } from 'node:path';
import { withHome } from '../places.js';
import type { Source, SourceQuery } from '../source.js';
import { createTaskAgent } from './family.js';
import { recognisesCline } from './recognise.js';

/** `CLINE_DATA_DIR`, else `data` in `CLINE_DIR`, replaces `~/.cline/data`. */
const dataFolder = ({ env, userHome }: SourceQuery): string =>
  withHome(
    env['CLINE_DATA_DIR'] || join(env['CLINE_DIR'] || join('~', '.cline'), 'data'),
    userHome,
  );

/** Where the command line keeps its sessions. */
export const sessionFolder = (query: SourceQuery): string =>
  withHome(
    query.env['CLINE_SESSION_DATA_DIR'] || join(dataFolder(query), 'sessions'),
    query.userHome,
  );

/** Sessions of the command line are called by a time and some letters; tasks of the extension by a time alone. */
const sessionId = /^\d{10,}_[\w-]+$/;

/** Cline: the extension in any editor, and its command line. */
export const createCline = (): Source =>
  createTaskAgent({
    agent: 'cline',
    name: 'Cline',
    extensions: ['saoudrizwan.claude-dev'],
    ownHomes: (query) => [dataFolder(query)],
    sessions: (query) => [sessionFolder(query)],
    recognises: recognisesCline,
    resume: ({ nativeId }) => (sessionId.test(nativeId) ? ['cline', '--id', nativeId] : undefined),
  });

export const cline = createCline();
