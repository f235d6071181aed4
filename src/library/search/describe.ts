import type { SearchFacts } from '../../vault/search/facts.js';
import { changedPaths, tabsOf } from '../snapshots.js';
import type { Store } from '../store.js';

/**
 * Notes the open editors and changed files of sessions' newest snapshots where the index does not know them, because
 * it was made anew or another window has saved. Answers whether there was something to note.
 *
 * @param tried ids of snapshots that were tried before, of which nothing is to be had
 */
export async function describeSessions(
  store: Store,
  { sessions }: SearchFacts,
  tried: Set<string>,
  most: number,
): Promise<boolean> {
  const missing = [...sessions.values()]
    .filter(({ undescribed }) => undescribed !== undefined && !tried.has(undescribed))
    .sort((a, b) => b.at - a.at)
    .slice(0, most);
  let isChanged = false;
  for (const { undescribed: id = '' } of missing) {
    tried.add(id);
    const content = await store.readSnapshot(id).catch(() => undefined);
    if (!content) continue;
    store.index.describeSnapshot(id, {
      tabs: tabsOf(content.editors).map((tab) => tab.label),
      changes: changedPaths(content.changes),
    });
    isChanged = true;
  }
  return isChanged;
}
