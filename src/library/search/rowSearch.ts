import { setImmediate } from 'node:timers/promises';
import { meetsRow, meetsTool, roleOf } from '../../core/search/filters.js';
import { matchText } from '../../core/search/match.js';
import type { Query } from '../../core/search/query.js';
import type { SearchRow } from '../../core/search/rows.js';
import { snippetOf } from '../../core/search/snippet.js';
import type { SearchHit } from '../../core/search/types.js';
import { fileTerms, roleTerm, toolPrefix } from '../../vault/search/filterTerms.js';
import type { SearchImage } from '../../vault/search/image.js';
import type { Blocks } from './blocks.js';
import type { Scope, ThreadContext } from './scope.js';
import type { TailThread } from './tail.js';

/** Somebody who types waits for no more than so much text to be looked at, in UTF-16 units. */
const MOST_TEXT = 8 * 2 ** 20;
/** Documents looked at before others may work. */
const BETWEEN_PAUSES = 16;
/** Blocks that are read at once. */
const AHEAD = 8;

export interface RowSearch {
  readonly query: Query;
  readonly scope: Scope;
  readonly images: readonly LoadedImage[];
  readonly tail: ReadonlyMap<string, TailThread>;
  readonly blocks: Blocks;
  readonly limit: number;
  /** Not everything is looked at when that would take long. */
  readonly isHurried: boolean;
  readonly isSuperseded: () => boolean;
  readonly onProblem: (where: string, error: unknown) => void;
}

/** An image with the conversations in it that count. */
export interface LoadedImage {
  readonly name: string;
  readonly image: SearchImage;
  readonly counts: (thread: number) => boolean;
}

export interface FoundRows {
  /** Newest first; one more than the limit when there are more. */
  readonly hits: readonly SearchHit[];
  readonly complete: boolean;
}

interface Candidate {
  readonly from: LoadedImage;
  readonly number: number;
  readonly at: number;
}

/** Looks for rows that hold all that was asked for, the newest first. */
export async function searchRows(search: RowSearch): Promise<FoundRows> {
  const hits = searchTail(search);
  const wanted = search.limit + 1;
  const queues = await Promise.all(search.images.map((image) => queueOf(image, search)));
  const found = new Hits();
  let looked = 0;
  let text = 0;
  for (;;) {
    // Of what is in memory, only as much is newer as the next document allows.
    const next = takeNewest(queues, AHEAD);
    const newest = next[0]?.at ?? -Infinity;
    while (hits.length > 0 && (hits[0]?.at ?? 0) >= newest && found.count < wanted) {
      found.add(hits.shift());
    }
    if (next.length === 0 || found.count >= wanted) break;
    if (search.isHurried && text > MOST_TEXT) {
      return { hits: found.newestFirst(wanted), complete: false };
    }
    const rows = await Promise.all(next.map((candidate) => read(candidate, search)));
    for (const [at, candidate] of next.entries()) {
      for (const row of (rows[at] ?? []).toReversed()) {
        text += row.text.length;
        found.add(hitIn(row, contextOf(candidate, search), search.query));
      }
    }
    looked += next.length;
    if (looked % BETWEEN_PAUSES === 0) {
      await setImmediate();
      if (search.isSuperseded()) return { hits: [], complete: false };
    }
  }
  return { hits: found.newestFirst(wanted), complete: true };
}

/** Hits, each place once: a long text is several rows that overlap. */
class Hits {
  private readonly hits = new Map<string, SearchHit>();

  get count(): number {
    return this.hits.size;
  }

  add(hit: SearchHit | undefined): void {
    if (!hit) return;
    const { threadId, place, kind } = hit;
    const key = JSON.stringify([threadId, place, kind]);
    if (!this.hits.has(key)) this.hits.set(key, hit);
  }

  newestFirst(most: number): readonly SearchHit[] {
    return [...this.hits.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, most);
  }
}

function searchTail({ tail, scope, query }: RowSearch): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const [id, { rows, at }] of tail) {
    const context = scope.context(id);
    if (!context) continue;
    for (const row of rows.toReversed()) {
      const hit = hitIn({ ...row, at: row.at ?? at }, context, query);
      if (hit) hits.push(hit);
    }
  }
  return hits.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

async function read(candidate: Candidate, search: RowSearch): Promise<readonly SearchRow[]> {
  const { image, name } = candidate.from;
  const document = image.documents.get(candidate.number);
  try {
    const rows = await search.blocks.read(name, image, document.block);
    return rows.slice(document.first, document.first + document.count);
  } catch (error) {
    search.onProblem(name, error);
    return [];
  }
}

const contextOf = ({ from, number }: Candidate, { scope }: RowSearch): ThreadContext | undefined =>
  scope.context(from.image.threads[from.image.documents.threadOf(number)]?.id ?? '');

function hitIn(
  row: SearchRow,
  context: ThreadContext | undefined,
  { needles, filters }: Query,
): SearchHit | undefined {
  if (!context || !meetsRow(filters, row)) return undefined;
  const ranges = matchText(row.text, needles);
  if (!ranges) return undefined;
  const { turn, turnId, part, kind, tool, at } = row;
  return {
    kind,
    threadId: context.id,
    place: { turnId, turn, part },
    role: roleOf(row),
    tool,
    agent: context.agent,
    sessionIds: context.sessionIds,
    title: context.title,
    folder: context.cwd,
    branch: context.branch,
    at,
    snippet: snippetOf(row.text, ranges),
  };
}

/** The documents of one image that may hold what is asked for, the newest first. */
class CandidateQueue {
  private next: number;

  constructor(
    private readonly from: LoadedImage,
    private readonly search: RowSearch,
    private readonly mask: Uint8Array,
  ) {
    this.next = this.mask.length - 1;
    this.settle();
  }

  get newest(): number {
    return this.next < 0 ? -Infinity : this.from.image.documents.at(this.next);
  }

  take(): Candidate | undefined {
    if (this.next < 0) return undefined;
    const candidate = { from: this.from, number: this.next, at: this.newest };
    this.next -= 1;
    this.settle();
    return candidate;
  }

  private settle(): void {
    while (this.next >= 0 && !this.isWorthALook(this.next)) this.next -= 1;
  }

  private isWorthALook(number: number): boolean {
    if (this.mask[number] !== 1) return false;
    const { image, counts } = this.from;
    const thread = image.documents.threadOf(number);
    if (!counts(thread)) return false;
    return this.search.scope.context(image.threads[thread]?.id ?? '') !== undefined;
  }
}

function takeNewest(queues: readonly CandidateQueue[], count: number): readonly Candidate[] {
  const taken: Candidate[] = [];
  while (taken.length < count) {
    const newest = queues.reduce<CandidateQueue | undefined>(
      (best, queue) => (queue.newest > (best?.newest ?? -Infinity) ? queue : best),
      undefined,
    );
    const candidate = newest?.take();
    if (!candidate) break;
    taken.push(candidate);
  }
  return taken;
}

/** An image whose terms cannot be read has nothing that could be found in it. */
async function queueOf(from: LoadedImage, search: RowSearch): Promise<CandidateQueue> {
  try {
    return new CandidateQueue(from, search, await maskOf(from.image, search.query));
  } catch (error) {
    search.onProblem(from.name, error);
    return new CandidateQueue(from, search, new Uint8Array());
  }
}

async function maskOf(image: SearchImage, { needles, filters }: Query): Promise<Uint8Array> {
  const { role, tool, file, after } = filters;
  const masks: Uint8Array[] = [];
  for (const { lookup } of needles) masks.push(await image.mask(lookup));
  if (role !== undefined && role.length > 0) {
    masks.push(await image.mask({ any: role.map((one) => ({ term: roleTerm(one) })) }));
  }
  if (tool !== undefined && tool.length > 0) {
    masks.push(await image.maskWhere(toolPrefix, (name) => meetsTool(filters, name)));
  }
  if (file !== undefined && file.length > 0) {
    const any = file.map((path) => ({ all: fileTerms(path).map((term) => ({ term })) }));
    masks.push(await image.mask({ any }));
  }
  const mask = new Uint8Array(image.documents.length);
  for (let at = 0; at < mask.length; at++) {
    const isOld = after !== undefined && image.documents.at(at) < after;
    mask[at] = !isOld && masks.every((one) => one[at] === 1) ? 1 : 0;
  }
  return mask;
}
