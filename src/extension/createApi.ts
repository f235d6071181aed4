import type { KeepthreadApi } from './api.js';
import type { CommandContext } from './commands/context.js';

/** The calls behind {@link KeepthreadApi}; what they need is loaded when they are made. */
export const createApi = (context: CommandContext): Omit<KeepthreadApi, 'activationMs'> => ({
  version: 1,
  save: async (options) => (await import('./commands/save.js')).saveSnapshot(context, options),
  load: async (options) =>
    (await import('./commands/loadSnapshot.js')).loadSnapshot(context, options),
  list: async () => (await import('./commands/list.js')).listSessions(context.sessions),
  onDidSave: context.sessions.onDidSave,
});
