import type { Thread, Todo } from '../../core/model/thread.js';
import type { Spoken } from '../branch.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { typedIn } from '../genAi.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { leftBranches } from '../leftBranches.js';
import { Recall } from '../recall.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { ThreadTally } from '../threadTally.js';
import { shortened } from '../titles.js';
import {
  callsOf,
  isCheckpoint,
  messageIn,
  promptOf,
  resultsOf,
  roleOf,
  thoughtsOf,
  timesIn,
  type Role,
} from './message.js';
import { Messages, type ShownEntry } from './messages.js';
import { buildTurns, todosOf } from './turns.js';

/**
 * A fold over the records of one session of Gemini CLI: the lines of its log, or, of a file that is one
 * object, each message and then the rest. Another agent that keeps the same form gives its own name.
 */
export const geminiParser = (
  nativeId: string,
  options: ParserOptions = {},
  agent = 'gemini-cli',
): ThreadParser => new GeminiParser(nativeId, options, agent);

/** What one message adds to the counts. */
interface Facts {
  readonly role: Role;
  readonly prompt: string | undefined;
  readonly thoughts: number;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly todos: readonly Todo[] | undefined;
}

class GeminiParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly recall = new Recall();
  private readonly messages: Messages<Facts>;
  private readonly models = new Set<string>();
  private sessionId: string | undefined;
  private summary: string | undefined;

  constructor(
    private readonly nativeId: string,
    private readonly options: ParserOptions,
    private readonly agent: string,
  ) {
    this.messages = new Messages(factsOf, this.keeps);
  }

  push(record: Uint8Array, place?: RecordPlace): void {
    const decoded = this.log.take(record, place);
    if (decoded.fields !== undefined) {
      const again = this.keeps ? this.recall.of(record, decoded.fields) : () => ({});
      this.apply(decoded.fields, again);
    }
  }

  get working(): boolean {
    const last = [...this.messages.live.values()].at(-1)?.facts;
    return last?.role === 'user'
      ? last.prompt !== undefined || last.results.length > 0
      : (last?.calls.length ?? 0) > 0;
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const all = [...this.messages.live.values()].map(({ facts }) => facts);
    const tally = tallyOf(all, this.models);
    for (const { tokens } of this.messages.live.values()) tally.tokens.add(tokens);
    const counts = tally.counts();
    const spoken = all.map(({ prompt }) => prompt).find((prompt) => prompt && !isCommand(prompt));
    return {
      agent: this.agent,
      nativeId: this.nativeId || (this.sessionId ?? ''),
      title: this.summary ?? shortened(spoken ?? counts.firstPrompt),
      ...(options.turns === false ? noTurns : this.conversation()),
      todos: all.findLast(({ todos }) => todos !== undefined)?.todos ?? [],
      counts: { ...counts, ...this.log.counts },
      skipped: [...this.log.skipped],
    };
  }

  private apply(record: Fields, again: () => Fields): void {
    const rewind = record['$rewindTo'];
    const set = fieldsOf(record['$set']);
    const message = messageIn(record, `#${this.log.line}`);
    if (isString(rewind)) this.messages.rewindTo(rewind);
    else if (message !== undefined) {
      this.noteMessage(message);
      this.messages.put(message, message === record ? again : () => message);
      if (message !== record) this.sessionId ??= textOf(record['sessionId']);
    } else if (set !== undefined) this.describe(set, (messages) => this.messages.set(messages));
    else if (isString(record['sessionId']) || isCheckpoint(record)) {
      this.describe(record, (messages) => {
        for (const one of messages) this.messages.put(one, () => one);
      });
    }
  }

  /** What a session says about itself, at its beginning and in changes. */
  private describe(about: Fields, take: (messages: readonly Fields[]) => void): void {
    this.sessionId = textOf(about['sessionId']) ?? this.sessionId;
    this.summary = textOf(about['summary']) ?? this.summary;
    this.log.note(about['startTime']);
    this.log.note(about['lastUpdated']);
    const list = about['messages'] ?? about['clientHistory'] ?? about['history'];
    if (!Array.isArray(list)) return;
    const messages = objectsOf(list)
      .map((one, at) => messageIn(one, `#${this.log.line}.${at}`))
      .filter((message) => message !== undefined);
    for (const message of messages) this.noteMessage(message);
    take(messages);
  }

  private noteMessage(message: Fields): void {
    for (const time of timesIn(message)) this.log.note(time);
    const model = textOf(message['model']);
    if (model !== undefined) this.models.add(model);
  }

  private get keeps(): boolean {
    return this.options.turns !== false;
  }

  private conversation(): Conversation {
    const { left } = this.messages;
    const now = this.messages.entries();
    const asked = left.find(({ leaf }) => leaf === this.options.leaf);
    const { items, summarized } = asked ?? {
      items: now,
      summarized: this.messages.summarized.size,
    };
    const shown = items.map(([id, { fields, ...origin }]) => ({ ...origin, id, fields: fields() }));
    const turns = buildTurns(shown.slice(0, summarized), shown.slice(summarized));
    return conversation(turns, leftBranches(left, now, spokenIn), this.options);
  }
}

function spokenIn([key, { facts, at }]: ShownEntry<Facts>): Spoken | undefined {
  const isAnswer = facts.role === 'model';
  return isAnswer || facts.prompt !== undefined ? { key, at, prompt: facts.prompt } : undefined;
}

const isCommand = (prompt: string): boolean => /^[/?]/.test(prompt);

function factsOf(message: Fields): Facts {
  const prompt = promptOf(message);
  const calls = callsOf(message);
  return {
    role: roleOf(message),
    prompt: prompt && typedIn(prompt),
    thoughts: roleOf(message) === 'model' ? thoughtsOf(message).length : 0,
    calls: calls.map(({ id }) => id),
    results: resultsOf(message).map(({ id }) => id),
    todos: todosOf(calls),
  };
}

function tallyOf(all: readonly Facts[], models: ReadonlySet<string>): ThreadTally {
  const tally = new ThreadTally();
  for (const [at, { role, prompt, thoughts, calls, results }] of all.entries()) {
    if (prompt !== undefined) tally.prompts.add(prompt);
    if (role === 'model') tally.answers.add(`#${at}`);
    tally.thinkingBlocks += thoughts;
    for (const id of calls.filter(Boolean)) tally.calls.add(id);
    for (const id of results.filter(Boolean)) tally.results.add(id);
  }
  for (const model of models) tally.models.add(model);
  return tally;
}
