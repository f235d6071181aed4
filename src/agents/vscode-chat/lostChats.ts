import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../../core/engine.js';
import { manyAre } from '../unread.js';

/**
 * Transcripts that GitHub Copilot Chat keeps beside a folder of chat sessions, of chats that are no more there: they
 * are the same conversations once more, mostly without results, and are not read.
 *
 * @param ids chats that are there
 */
export async function lostChats(
  store: string,
  ids: ReadonlySet<string>,
): Promise<readonly Problem[]> {
  const folder = join(dirname(store), 'GitHub.copilot-chat', 'transcripts');
  const names = await readdir(folder).catch(() => []);
  const lost = names.filter((name) => name.endsWith('.jsonl') && !ids.has(name.slice(0, -6)));
  if (lost.length === 0) return [];
  const chats = manyAre(lost.length, 'chat');
  const message = `${chats} no more there and not read: GitHub Copilot Chat has a transcript, which \`thread inspect\` reads`;
  return [{ where: folder, message }];
}
