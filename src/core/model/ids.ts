/** A fresh random id (UUID version 4) for a session or snapshot. */
export const newId = (): string => globalThis.crypto.randomUUID();

export const threadId = (agent: string, nativeId: string): string => `${agent}:${nativeId}`;

/** The reverse of {@link threadId}; an agent's name never holds a colon. */
export function splitThreadId(id: string): { readonly agent: string; readonly nativeId: string } {
  const at = id.indexOf(':');
  return { agent: id.slice(0, at), nativeId: id.slice(at + 1) };
}

/** What an import puts behind an agent's own id, once for each time that a session was passed on. */
const importMark = /(?:@from-[0-9a-f]{12})+$/;

/** The id that a thread's records know themselves by: without the mark of an import. */
export const idInRecords = (nativeId: string): string => nativeId.replace(importMark, '');

export const isImported = (nativeId: string): boolean => importMark.test(nativeId);
