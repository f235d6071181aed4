import type { HandoffEngine } from '../core/handoff.js';
import {
  exportSession,
  importHandoff,
  inspectHandoff,
  reviewExport,
  type HandoffContext,
} from './handoff.js';
import type { Jobs } from './jobs.js';
import type { Open } from './open.js';

export interface HandoffAccess {
  readonly opened: () => Promise<Open>;
  /** As `opened`; rejects in restricted mode. */
  readonly writable: () => Promise<Open>;
  /** Lets lists be made anew. */
  readonly changed: (open: Open) => void;
}

/** The engine's calls by which a session is sent and taken in. */
export function handoffCalls(
  { opened, writable, changed }: HandoffAccess,
  jobs: Jobs,
): Pick<HandoffEngine, keyof HandoffEngine> {
  return {
    exportSession: async (request) => {
      const open = await opened();
      const threads = (id: string) => Promise.resolve(open.project.store.index.threads(id));
      const context = { ...contextOf(open), threads };
      return jobs.run(request.job, (job) => exportSession(context, request, job));
    },
    reviewExport: async (request) => {
      const open = await opened();
      const threads = (id: string) => Promise.resolve(open.project.store.index.threads(id));
      const context = { ...contextOf(open), threads };
      return jobs.run(request.job, (job) => reviewExport(context, request, job));
    },
    inspectHandoff: async (request) => {
      const context = contextOf(await opened());
      return jobs.run(request.job, (job) => inspectHandoff(context, request, job));
    },
    importHandoff: async (request) => {
      const open = await writable();
      const { workspace, settings } = open.request;
      const context = { ...contextOf(open), workspace, redact: settings.redact };
      const result = await jobs.run(request.job, (job) => importHandoff(context, request, job));
      await open.ingest.summarizeMissing();
      changed(open);
      return result;
    },
    progressOf: (job) => Promise.resolve(jobs.progressOf(job)),
    cancel: (job) => {
      jobs.cancel(job);
      return Promise.resolve();
    },
  };
}

/** In restricted mode git is not asked, so there are no folders. */
const contextOf = ({ project, request }: Open): HandoffContext => ({
  root: request.store,
  store: project.store,
  folders: request.trusted ? project.folders : [],
  redaction: request.settings.redaction,
});
