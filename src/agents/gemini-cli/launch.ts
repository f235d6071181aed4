/** `latest` and numbers are other ways to name a session: both are shorter. */
const sessionId = /^[A-Za-z0-9][A-Za-z0-9_-]{7,127}$/;

/**
 * The argv that goes on with a session; to be started in the project's own folder, because Gemini CLI
 * looks an id up nowhere else. Subagents are hidden from it.
 */
export const resumeArgv = (thread: {
  readonly nativeId: string;
  readonly parent?: string | undefined;
}): readonly string[] | undefined =>
  thread.parent === undefined && sessionId.test(thread.nativeId)
    ? ['gemini', '--resume', thread.nativeId]
    : undefined;
