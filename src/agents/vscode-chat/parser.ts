import type { Skipped, Thread, ThreadCounts, Tokens } from '../../core/model/thread.js';
import type { Spoken } from '../branch.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { fieldsOf, isFields, objectsOf, textOf } from '../json.js';
import type { Fields } from '../json.js';
import { chosenItems, leftBranches, type LeftBranch } from '../leftBranches.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { sumOf } from '../tokens.js';
import { factsOf } from './facts.js';
import type { RequestFacts } from './facts.js';
import { lean } from './lean.js';
import { LostRequests } from './lostRequests.js';
import { applyEdit } from './replay.js';
import type { ChatState, Edit } from './replay.js';
import { isHuman, modelStateOf, ModelState, promptOf, turnsOf } from './turns.js';
import { momentOf, pathOfUri, uriOf } from './values.js';

export const agent = 'vscode-chat';

/**
 * Folds the records of one chat: the lines of a mutation log, or, of a file that holds the whole
 * state, each request and then the rest (see `stateFile.ts`).
 */
export class ChatParser implements ThreadParser {
  private state: ChatState | undefined;
  private readonly facts = new WeakMap<object, RequestFacts>();
  private readonly skipped: Skipped[] = [];
  private malformed = 0;
  private isLog = false;
  private readonly lost = new LostRequests();
  private readonly left: LeftBranch<Fields>[] = [];
  private next: RecordPlace = { line: 1, offset: 0 };

  constructor(
    private readonly nativeId: string,
    private readonly options: ParserOptions = {},
  ) {}

  push(record: Uint8Array, place: RecordPlace = this.next): void {
    this.next = { line: place.line + 1, offset: place.offset + record.length + 1 };
    const text = Buffer.from(record.buffer, record.byteOffset, record.length).toString('utf8');
    const value = parseJson(text);
    if (isFields(value)) {
      this.apply(this.options.turns === false ? lean(value) : value, place);
      return;
    }
    this.malformed++;
    this.lost.note(this.state);
    this.skip(place, value === undefined ? reasonFor(record, place) : 'notAnObject');
  }

  /** The chat's state as of the records so far, undefined before the first good one. */
  get chat(): Fields | undefined {
    return this.state;
  }

  get working(): boolean {
    const last = this.activeRequests().at(-1);
    const state = last && modelStateOf(last);
    return state === ModelState.pending || state === ModelState.needsInput;
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const { state } = this;
    const facts = objectsOf(state?.['requests']).map((request) => this.factsFor(request));
    const active = this.activeRequests();
    const cwd = uriOf(state?.['workingDirectory']);
    return {
      agent,
      nativeId: this.nativeId || (textOf(state?.['sessionId']) ?? ''),
      title: textOf(state?.['customTitle']) ?? textOf(state?.['computedTitle']),
      cwd: cwd === undefined ? undefined : pathOfUri(cwd),
      branch: textOf(fieldsOf(state?.['repoData'])?.['localBranch']),
      version: facts.findLast(({ version }) => version !== undefined)?.version,
      ...(options.turns === false ? noTurns : this.conversation(active)),
      todos:
        active.map((request) => this.factsFor(request)).findLast(({ todos }) => todos)?.todos ?? [],
      counts: this.counts(facts),
      skipped: this.skipped,
    };
  }

  private apply(value: Fields, place: RecordPlace): void {
    if (typeof value['kind'] === 'number') {
      this.isLog = true;
      this.edit({ ...value, kind: value['kind'] }, place);
    } else if (this.isLog) {
      // A kind of line that no version known here writes.
    } else if ('message' in value || 'requestId' in value) {
      this.state ??= {};
      this.edit({ kind: 2, k: ['requests'], v: [value] }, place);
    } else {
      this.state = { requests: [], ...value, ...(this.state && { requests: this.requests() }) };
    }
  }

  private edit(edit: Edit, place: RecordPlace): void {
    const before = this.mayRemove(edit) ? [...objectsOf(this.state?.['requests'])] : [];
    const { state, request, failed } = applyEdit(this.lost.makeRoom(this.state, edit), edit);
    this.state = state;
    this.noteRemoved(before);
    if (failed) this.skip(place, failed);
    const changed = request === undefined ? this.requests() : [this.requests()[request]];
    for (const item of changed) if (isFields(item)) this.facts.delete(item);
  }

  private mayRemove({ kind, k, i }: Edit): boolean {
    if (this.options.turns === false) return false;
    if (kind === 0) return true;
    const isOfAll = Array.isArray(k) && (k.length === 0 || (k.length === 1 && k[0] === 'requests'));
    return isOfAll && (kind !== 2 || i !== undefined);
  }

  /** A prompt that is sent in the place of others takes them out of the file. */
  private noteRemoved(before: readonly Fields[]): void {
    if (before.length === 0) return;
    const left = new Set(this.requests().map((request) => fieldsOf(request)?.['requestId']));
    const last = before.findLast(({ requestId }) => !left.has(requestId));
    const leaf = textOf(last?.['requestId']);
    if (leaf !== undefined) this.left.push({ leaf, items: before });
  }

  private conversation(active: readonly Fields[]): Conversation {
    if (this.options.turns === false) return noTurns;
    const all = objectsOf(this.state?.['requests']);
    const leaf = textOf(all.at(-1)?.['requestId']);
    const isUndone = leaf !== undefined && active.length < all.length;
    const left = isUndone ? [...this.left, { leaf, items: all }] : this.left;
    const chosen = chosenItems(left, active, this.options.leaf);
    const turns = chosen.flatMap((request) => turnsOf(request, this.options.images));
    return conversation(turns, leftBranches(left, active, spokenIn), this.options);
  }

  private skip(place: RecordPlace, reason: Skipped['reason']): void {
    this.skipped.push({ line: place.line, offset: place.offset, reason });
  }

  private requests(): readonly unknown[] {
    const requests = this.state?.['requests'];
    return Array.isArray(requests) ? requests : [];
  }

  /** Undone requests stay in the file until the next one is sent, but not in the conversation. */
  private activeRequests(): readonly Fields[] {
    return objectsOf(this.state?.['requests']).filter(
      (request) => !request['shouldBeRemovedOnSend'],
    );
  }

  private factsFor(request: Fields): RequestFacts {
    const known = this.facts.get(request);
    if (known) return known;
    const facts = factsOf(request);
    this.facts.set(request, facts);
    return facts;
  }

  private counts(all: readonly RequestFacts[]): ThreadCounts {
    const byId = new Map(all.map((facts, index) => [facts.id ?? index, facts]));
    const facts = [...byId.values()];
    const prompts = facts.map(({ prompt }) => prompt).filter((prompt) => prompt !== undefined);
    const calls = new Map<string, boolean>();
    for (const { id, matched } of facts.flatMap((each) => each.calls)) {
      calls.set(id, matched || calls.get(id) === true);
    }
    const orphans = new Set(facts.flatMap((each) => each.orphans).filter((id) => !calls.has(id)));
    const times = [
      ...['creationDate', 'lastMessageDate'].map((key) => momentOf(this.state?.[key])),
      ...facts.flatMap((each) => each.times),
    ].filter((at) => at !== undefined);
    const tokens = facts.reduce<Tokens | undefined>(
      (sum, each) => sumOf(sum, each.tokens),
      undefined,
    );
    return {
      ...(tokens && { tokens }),
      userTurns: prompts.length,
      assistantMessages: facts.filter(({ answered }) => answered).length,
      toolCalls: calls.size,
      toolResultsMatched: [...calls.values()].filter(Boolean).length,
      toolResultsOrphan: orphans.size,
      thinkingBlocks: facts.reduce((sum, each) => sum + each.thinkingBlocks, 0),
      firstPrompt: prompts.find(Boolean),
      lastPrompt: prompts.findLast(Boolean),
      models: [...new Set(facts.map(({ model }) => model).filter((model) => model !== undefined))],
      firstAt: extreme(times, Math.min),
      lastAt: extreme(times, Math.max),
      malformed: this.malformed,
    };
  }
}

function spokenIn(request: Fields): Spoken | undefined {
  if (!isHuman(request)) return undefined;
  const at = momentOf(request['timestamp']);
  return { key: request['requestId'], at, prompt: promptOf(request) };
}

const extreme = (
  times: readonly number[],
  pick: (a: number, b: number) => number,
): number | undefined => (times.length === 0 ? undefined : times.reduce((a, b) => pick(a, b)));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonFor(record: Uint8Array, place: RecordPlace): Skipped['reason'] {
  if (place.cut === true) return 'incomplete';
  return record.includes(0) ? 'nulBytes' : 'notJson';
}
