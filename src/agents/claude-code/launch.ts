import { isSessionId } from '../sessionIds.js';

/**
 * The argv that goes on with a session; to be started in the session's own working folder, because
 * Claude Code looks an id up nowhere else. Undefined for subagents and anything else that is no session.
 */
export const resumeArgv = (nativeId: string): readonly string[] | undefined =>
  isSessionId(nativeId) ? ['claude', '--resume', nativeId] : undefined;
