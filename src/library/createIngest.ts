import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { sources } from '../agents/registry.js';
import { agent as chatAgent } from '../agents/vscode-chat/parser.js';
import type { OpenRequest, Problem } from '../core/engine.js';
import type { ExpectedError } from '../core/errors.js';
import { noRedactionSettings } from '../core/redact/settings.js';
import { ExpectedChats } from './expectedChats.js';
import { Ingest, type IngestOptions } from './ingest.js';
import { KeptHeads } from './keptHeads.js';
import { createSaveRedactor } from './redaction/redactors.js';
import type { Store } from './store.js';

/** What takes in the conversations of all agents for one project, as its window's settings say. */
export function createIngest(
  request: OpenRequest,
  project: { readonly store: Store; readonly folders: readonly string[] },
  events: IngestOptions['events'],
): Ingest {
  const folders = withLinksResolved(project.folders);
  const { agentHomes, redact, redaction } = request.settings;
  const saving = createSaveRedactor(redaction ?? noRedactionSettings);
  return new Ingest({
    store: project.store,
    sources,
    query: ({ agent }) => ({
      folders,
      // The homes of VS Code's chat are beside the window's own storage; the window names them.
      homes: [...(agentHomes[agent] ?? []), ...(agent === chatAgent ? request.chatStores : [])],
      env: process.env,
      userHome: homedir(),
    }),
    heads: new KeptHeads(request.store),
    chats: new ExpectedChats(request.store),
    redact: redact ? (record) => saving.redactor.record(record).record : undefined,
    problems: redact ? saving.problems.map(ruleProblem) : [],
    events,
  });
}

const ruleProblem = ({ message }: ExpectedError): Problem => ({
  where: 'keepthread.redaction.rules',
  message,
});

/** As given and as they really are: agents record either. */
const withLinksResolved = (folders: readonly string[]): readonly string[] => [
  ...new Set(folders.flatMap((folder) => [folder, realPath(folder)])),
];

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
