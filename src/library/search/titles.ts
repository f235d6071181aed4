import { meetsTime } from '../../core/search/filters.js';
import { matchText } from '../../core/search/match.js';
import type { Query } from '../../core/search/query.js';
import { snippetOf } from '../../core/search/snippet.js';
import type { SearchHit } from '../../core/search/types.js';
import type { ThreadFacts } from '../../vault/search/facts.js';
import type { Scope } from './scope.js';

/** Conversations whose titles hold what was asked for, newest first. */
export function titleHits(
  threads: Iterable<ThreadFacts>,
  scope: Scope,
  { needles, filters }: Query,
): readonly SearchHit[] {
  const { role, tool, file } = filters;
  if (needles.length === 0 || role !== undefined || tool !== undefined || file !== undefined) {
    return [];
  }
  const hits: SearchHit[] = [];
  for (const { id, at } of threads) {
    const context = scope.context(id);
    if (!context || !meetsTime(filters, at)) continue;
    const ranges = matchText(context.title, needles);
    if (!ranges) continue;
    hits.push({
      kind: 'title',
      threadId: id,
      agent: context.agent,
      sessionIds: context.sessionIds,
      title: context.title,
      folder: context.cwd,
      branch: context.branch,
      at,
      snippet: snippetOf(context.title, ranges),
    });
  }
  return hits.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}
