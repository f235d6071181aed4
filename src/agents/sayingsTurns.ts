import type { Part, Tokens } from '../core/model/thread.js';
import { momentIn } from './json.js';
import { callParts, textParts, type ToolResult } from './parts.js';
import type { Said, Saying } from './sayings.js';
import { sumOf } from './tokens.js';
import { TurnList, type OpenTurn, type TurnOrigin } from './turnList.js';

/** Makes turns of what records say; a result is shown with its call, wherever it stands. */
export function buildTurns(all: readonly Said[]): TurnList['turns'] {
  const turns = new SayingTurns(resultsIn(all));
  const seen = new Set<string>();
  for (const { id, times = [], says } of all) {
    if (id !== undefined && seen.has(id)) continue;
    if (id !== undefined) seen.add(id);
    const at = momentIn(times[0]);
    // One record may make several turns, and an id stands for one.
    for (const [index, saying] of says.entries()) {
      turns.add(saying, { id: index === 0 ? id : undefined, at });
    }
  }
  return turns.list.turns;
}

function resultsIn(all: readonly Said[]): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const saying of all.flatMap(({ says }) => says)) {
    if (saying.kind === 'result') results.set(saying.id, saying.result);
  }
  return results;
}

class SayingTurns {
  readonly list = new TurnList();
  private readonly answers = new Map<string, OpenTurn>();
  private readonly calls = new Set<string>();
  private readonly counted = new Set<string>();
  private answer: OpenTurn | undefined;
  /** What was told of an answer before it began. */
  private ahead: Tokens | undefined;

  constructor(private readonly results: ReadonlyMap<string, ToolResult>) {}

  add(saying: Saying, origin: TurnOrigin): void {
    switch (saying.kind) {
      case 'prompt':
        this.prompt(saying, origin);
        break;
      case 'answer':
        this.begin(saying, origin);
        break;
      case 'text':
      case 'thinking':
        if (saying.isMore === true) this.goOn(this.answer, saying);
        else if (saying.kind === 'thinking') {
          this.say(origin, [{ kind: 'thinking', text: saying.text }]);
        } else this.say(origin, textParts(saying.text));
        break;
      case 'media':
        this.say(origin, [saying.part]);
        break;
      case 'call':
        this.call(saying, origin);
        break;
      case 'tokens':
        this.count(saying);
        break;
      case 'notice':
        this.answer = undefined;
        if (saying.notice === 'compaction') this.list.compaction(saying.text, origin);
        else this.list.notice(saying.notice, saying.text, origin);
        break;
    }
  }

  private prompt(saying: Extract<Saying, { kind: 'prompt' }>, origin: TurnOrigin): void {
    this.answer = undefined;
    const { text, media = [] } = saying;
    if (saying.isMore === true) this.goOn(this.list.turns.at(-1), { kind: 'text', text });
    else this.list.open('user', origin, [...textParts(text), ...media]);
  }

  /** Adds to the last part, or makes one of its kind. */
  private goOn(
    turn: OpenTurn | undefined,
    more: { kind: 'text' | 'thinking'; text: string },
  ): void {
    const parts = turn?.parts ?? [];
    const last = parts.at(-1);
    const { kind, text } = more;
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else parts.push({ kind, text });
  }

  private begin(saying: Extract<Saying, { kind: 'answer' }>, origin: TurnOrigin): void {
    const before = saying.key === undefined ? undefined : this.answers.get(saying.key);
    const id = origin.id ?? saying.key;
    this.answer = before ?? this.list.open('assistant', { ...origin, id, model: saying.model });
    if (saying.key !== undefined) this.answers.set(saying.key, this.answer);
    this.takeAhead(this.answer);
  }

  private count(saying: Extract<Saying, { kind: 'tokens' }>): void {
    const { answer } = this;
    const { tokens, key } = saying;
    if (saying.isAhead === true) {
      this.ahead = sumOf(this.ahead, tokens);
      return;
    }
    if (answer === undefined) return;
    const isAgain = key !== undefined && this.counted.has(key);
    answer.tokens = isAgain ? tokens : sumOf(answer.tokens, tokens);
    if (key !== undefined) this.counted.add(key);
  }

  private say(origin: TurnOrigin, parts: readonly Part[]): void {
    this.answer ??= this.list.open('assistant', origin);
    this.answer.parts.push(...parts);
    this.takeAhead(this.answer);
  }

  private takeAhead(answer: OpenTurn): void {
    if (this.ahead === undefined) return;
    answer.tokens = sumOf(answer.tokens, this.ahead);
    this.ahead = undefined;
  }

  /** Some agents announce a call and tell about it again when it runs. */
  private call(saying: Extract<Saying, { kind: 'call' }>, origin: TurnOrigin): void {
    const { id, name, input, result } = saying;
    if (id !== '' && this.calls.has(id)) return;
    this.calls.add(id);
    this.say(origin, callParts({ id, name, input }, result ?? this.results.get(id)));
  }
}
