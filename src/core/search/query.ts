import { ExpectedError } from '../errors.js';
import { momentOf } from './dates.js';
import type { Needle } from './needle.js';
import { needleOf } from './needle.js';
import type { Advice, SearchFilters, SearchRole } from './types.js';
import { roles } from './types.js';

/** A query, understood. All needles are to be found. */
export interface Query {
  readonly needles: readonly Needle[];
  readonly filters: SearchFilters;
  readonly advice: readonly Advice[];
}

/** The longest query that makes sense; what is pasted beyond it is not looked for. */
const LONGEST_QUERY = 1000;
const MOST_NEEDLES = 32;

interface Piece {
  readonly key: string | undefined;
  readonly value: string;
  readonly quoted: boolean;
  /** It ends where the query does. */
  readonly last: boolean;
}

const keys = ['agent', 'session', 'role', 'tool', 'file', 'branch', 'after', 'before', 'in'];

/**
 * Reads a query: words, each of which is to be there, in any order; `word*` for how a word begins; `"a phrase"`;
 * and filters such as `agent:codex`, `file:"a b.ts"` or `after:2026-01-31`.
 *
 * @param asYouType the last word may go on, and a filter that has no value yet means nothing
 * @param now milliseconds since the epoch
 */
export function parseQuery(
  text: string,
  { asYouType, now }: { readonly asYouType: boolean; readonly now: number },
): Query {
  const query = text.slice(0, LONGEST_QUERY);
  const needles: Needle[] = [];
  const filters = new FilterReader(now, asYouType);
  for (const { key, value, quoted, last } of piecesOf(query)) {
    if (key !== undefined) {
      filters.add(key, value, last);
      continue;
    }
    const isStarred = !quoted && /[^*]\*$/.test(value);
    const open = isStarred || (asYouType && last);
    const needle = needleOf(isStarred ? value.slice(0, -1) : value, open);
    if (needle && needles.length < MOST_NEEDLES) needles.push(needle);
  }
  const advice = [...filters.advice];
  const isVague = needles.length > 0 && needles.every(({ lookup }) => lookup === 'everywhere');
  if (isVague && !asYouType && !hasFilter(filters.read)) {
    advice.push(
      adviceOf(
        new ExpectedError('badQuery', 'Type a word or a name: “{0}” alone is not looked for.', [
          query.trim(),
        ]),
      ),
    );
  }
  return { needles, filters: filters.read, advice };
}

/** As an expected error's words are, they can be translated. */
const adviceOf = ({ template, args }: ExpectedError): Advice => ({
  template,
  args: args.map(String),
});

const hasFilter = (filters: SearchFilters): boolean => Object.keys(filters).length > 0;

const opening = new Map([
  ['"', '"'],
  ['“', '”'],
  ['「', '」'],
]);

function* piecesOf(query: string): Generator<Piece> {
  for (let at = 0; at < query.length;) {
    if (/\s/.test(query.charAt(at))) {
      at++;
      continue;
    }
    const key = keyAt(query, at);
    const begin = key === undefined ? at : at + key.length + 1;
    const close = opening.get(query.charAt(begin));
    const end = close === undefined ? endOfWord(query, begin) : query.indexOf(close, begin + 1);
    const value = query.slice(close === undefined ? begin : begin + 1, end < 0 ? undefined : end);
    const isClosed = close !== undefined && end >= 0;
    at = end < 0 ? query.length : isClosed ? end + 1 : end;
    const last = at >= query.length && !isClosed;
    yield { key, value, quoted: close !== undefined, last };
  }
}

function keyAt(query: string, at: number): string | undefined {
  const key = /^([a-z]+):/i.exec(query.slice(at, at + 10))?.[1]?.toLowerCase();
  return key !== undefined && keys.includes(key) ? key : undefined;
}

function endOfWord(query: string, from: number): number {
  const space = query.slice(from).search(/\s/);
  return space < 0 ? query.length : from + space;
}

type Texts = 'agent' | 'session' | 'tool' | 'file' | 'branch';

class FilterReader {
  readonly advice: Advice[] = [];
  private readonly texts = new Map<Texts, string[]>();
  private readonly rolesRead: SearchRole[] = [];
  private after: number | undefined;
  private before: number | undefined;
  private scope: 'folder' | 'project' | undefined;

  constructor(
    private readonly now: number,
    private readonly asYouType: boolean,
  ) {}

  get read(): SearchFilters {
    const { after, before, scope } = this;
    return {
      ...Object.fromEntries(this.texts),
      ...(this.rolesRead.length > 0 ? { role: this.rolesRead } : {}),
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
      ...(scope === undefined ? {} : { in: scope }),
    };
  }

  add(key: string, value: string, last: boolean): void {
    if (value === '') {
      // Somebody is about to type it.
      if (!this.asYouType) {
        this.say(
          new ExpectedError('badQuery', '“{0}:” needs a value, such as {1}.', [key, example(key)]),
        );
      }
      return;
    }
    const isUnfinished = this.asYouType && last;
    switch (key) {
      case 'role':
        this.addRole(value, isUnfinished);
        break;
      case 'after':
      case 'before':
        this.addMoment(key, value, isUnfinished);
        break;
      case 'in':
        this.addScope(value, isUnfinished);
        break;
      default:
        if (isText(key)) this.texts.set(key, [...(this.texts.get(key) ?? []), value]);
    }
  }

  private addRole(value: string, isUnfinished: boolean): void {
    const word = value.toLowerCase();
    const role = roles.find((known) => known === word);
    const begun = roles.filter((known) => known.startsWith(word));
    if (role) this.rolesRead.push(role);
    else if (isUnfinished && begun.length > 0) this.rolesRead.push(...begun);
    else {
      this.say(
        new ExpectedError('badQuery', 'There is no role “{0}”; there are {1}.', [
          value,
          roles.join(', '),
        ]),
      );
    }
  }

  private addMoment(key: 'after' | 'before', value: string, isUnfinished: boolean): void {
    const moment = momentOf(value, this.now);
    if (moment !== undefined) this[key] = moment;
    else if (!isUnfinished) {
      this.say(
        new ExpectedError('badQuery', '“{0}” is no date; write {1}.', [
          value,
          '2026-01-31, today, yesterday, 12h, 7d, 2w',
        ]),
      );
    }
  }

  private addScope(value: string, isUnfinished: boolean): void {
    const word = value.toLowerCase();
    const scope = (['folder', 'project'] as const).find((known) =>
      isUnfinished ? known.startsWith(word) : known === word,
    );
    if (scope) this.scope = scope;
    else {
      this.say(
        new ExpectedError('badQuery', '“in:{0}” is not known; write in:folder or in:project.', [
          value,
        ]),
      );
    }
  }

  private say(error: ExpectedError): void {
    this.advice.push(adviceOf(error));
  }
}

const isText = (key: string): key is Texts =>
  key === 'agent' || key === 'session' || key === 'tool' || key === 'file' || key === 'branch';

const examples: Readonly<Record<string, string>> = {
  agent: 'agent:codex',
  session: 'session:3e1f0a4c',
  role: 'role:user',
  tool: 'tool:bash',
  file: 'file:src/main.ts',
  branch: 'branch:main',
  after: 'after:2026-01-31',
  before: 'before:2026-01-31',
  in: 'in:folder',
};
const example = (key: string): string => examples[key] ?? '';
