const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isThreadId = (id: string): boolean => uuid.test(id);

/** The argv that goes on with a thread; Codex finds it by its id, in any folder. */
export const resumeArgv = (nativeId: string): readonly string[] | undefined =>
  isThreadId(nativeId) ? ['codex', 'resume', nativeId] : undefined;
