import type { Engine } from '../core/engine.js';
import { noRedactionSettings } from '../core/redact/settings.js';
import type { HandoffAccess } from './handoffCalls.js';
import { createHandoffMask } from './redaction/handoffMask.js';
import { createShareRedactor } from './redaction/redactors.js';
import { ParsedThreads } from './parsedThreads.js';
import { copyThread, readChanges, readImage, readThreadDocument } from './threadDocument.js';

export type ThreadCalls = Pick<
  Engine,
  | 'readThread'
  | 'threadDocument'
  | 'threadChanges'
  | 'threadImage'
  | 'copyThread'
  | 'maskText'
  | 'continueThread'
  | 'undoContinue'
>;

/** The engine's calls that are about one conversation. */
export function threadCalls({ opened, writable, changed }: HandoffAccess): ThreadCalls {
  const parsed = new ParsedThreads();
  const reading = async () => ({ store: (await opened()).project.store, parsed });
  return {
    readThread: async (threadId) => parsed.read((await reading()).store, threadId),
    threadDocument: async (threadId, at = {}) => readThreadDocument(await reading(), threadId, at),
    threadChanges: async (at) => readChanges(await reading(), at),
    threadImage: async (at) => readImage(await reading(), at),
    copyThread: async (copied) => {
      const { project, request } = await opened();
      const settings = request.settings.redaction ?? noRedactionSettings;
      const redactor = await createShareRedactor({ settings, folders: project.folders });
      return copyThread({ store: project.store, parsed }, copied, redactor);
    },
    maskText: async (text) => {
      const { project, request } = await opened();
      const settings = request.settings.redaction ?? noRedactionSettings;
      return (await createHandoffMask({ settings, folders: project.folders }))(text);
    },
    continueThread: async (threadId, request, write) => {
      const open = await writable();
      const { continueKept } = await import('./continueKept.js');
      const { store: root, settings } = open.request;
      const at = { root, write, redaction: settings.redaction ?? noRedactionSettings };
      const continuation = await continueKept(open.project.store, threadId, request, at);
      if (write) changed(open);
      return continuation;
    },
    undoContinue: async (agent, sessionId) => {
      const { request } = await writable();
      const { undoWritten } = await import('../agents/writeNew.js');
      return (await undoWritten(request.store, agent, sessionId)).kept;
    },
  };
}
