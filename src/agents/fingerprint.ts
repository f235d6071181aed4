import { createHash } from 'node:crypto';
import { readNew } from './readBack.js';
import { sourceOf } from './registry.js';
import type { Converted } from './target.js';

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A hash of a session's turns as they are now; undefined when it is not there. */
export async function stillThere(
  { agent, nativeId, cwd }: Pick<Converted, 'agent' | 'nativeId' | 'cwd'>,
  { env, userHome }: Pick<Converted, 'env' | 'userHome'>,
): Promise<string | undefined> {
  const source = sourceOf(agent);
  const thread = source && (await readNew(source, { nativeId, cwd, env, userHome }));
  return thread && hashOf(Buffer.from(JSON.stringify(thread.turns)));
}
