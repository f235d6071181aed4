/** A fresh random id (UUID version 4) for a session or snapshot. */
export const newId = (): string => globalThis.crypto.randomUUID();

export const threadId = (agent: string, nativeId: string): string => `${agent}:${nativeId}`;

/** The reverse of {@link threadId}; an agent's name never holds a colon. */
export function splitThreadId(id: string): { readonly agent: string; readonly nativeId: string } {
  const at = id.indexOf(':');
  return { agent: id.slice(0, at), nativeId: id.slice(at + 1) };
}
