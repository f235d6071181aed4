import type { Folded } from '../../core/search/fold.js';
import { fold } from '../../core/search/fold.js';
import { meetsBranch, meetsFile, meetsSession, meetsTime } from '../../core/search/filters.js';
import { matchText } from '../../core/search/match.js';
import type { Needle } from '../../core/search/needle.js';
import { snippetOf } from '../../core/search/snippet.js';
import type { SearchFilters, SearchHit } from '../../core/search/types.js';
import type { SessionFacts } from '../../vault/search/facts.js';

interface SessionText {
  readonly of: SessionFacts;
  readonly text: string;
  readonly folded: Folded;
}

/** Sessions' texts, folded once: they are looked through with every key that is pressed. */
export class SessionTexts {
  private texts = new Map<string, SessionText>();

  /** Hits in titles, goals, tags, labels and names of files, newest first. */
  search(
    sessions: Iterable<SessionFacts>,
    needles: readonly Needle[],
    filters: SearchFilters,
    isInScope: (session: SessionFacts) => boolean,
  ): readonly SearchHit[] {
    const hits: SearchHit[] = [];
    const texts = new Map<string, SessionText>();
    for (const session of sessions) {
      const kept = this.textOf(session);
      texts.set(session.id, kept);
      if (!meetsFilters(session, filters) || !isInScope(session)) continue;
      const ranges = matchText(kept.text, needles, kept.folded);
      if (!ranges) continue;
      hits.push({
        kind: 'session',
        sessionIds: [session.id],
        title: session.title,
        folder: session.workspace,
        branch: session.branch,
        at: session.at,
        snippet: snippetOf(kept.text, ranges),
      });
    }
    this.texts = texts;
    return hits.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  }

  private textOf(session: SessionFacts): SessionText {
    const known = this.texts.get(session.id);
    if (known && isSame(known.of, session)) return known;
    const { title, goal, tags, labels, files } = session;
    const text = [title, goal, tags.join(' '), ...labels, ...files]
      .filter((line) => line !== '')
      .join('\n');
    return { of: session, text, folded: fold(text) };
  }
}

/** What is said of a session by which it is not found among what was said. */
function meetsFilters(session: SessionFacts, filters: SearchFilters): boolean {
  const { agent, role, tool } = filters;
  if (agent !== undefined || role !== undefined || tool !== undefined) return false;
  return (
    meetsSession(filters, [session.id]) &&
    meetsFile(filters, session.files) &&
    meetsTime(filters, session.at) &&
    meetsBranch(filters, session.branch === undefined ? [] : [session.branch])
  );
}

const isSame = (one: SessionFacts, other: SessionFacts): boolean =>
  one.title === other.title &&
  one.goal === other.goal &&
  sameList(one.tags, other.tags) &&
  sameList(one.labels, other.labels) &&
  sameList(one.files, other.files);

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);
