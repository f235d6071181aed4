import type { Thread, Todo } from '../../core/model/thread.js';
import type { Spoken } from '../branch.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { fieldsOf, isFields, textOf, type Fields } from '../json.js';
import { beforeLoss, leftBranches, type LeftBranch } from '../leftBranches.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { readRowRecord, RowFold } from '../sqlite/rowRecord.js';
import { ThreadTally } from '../threadTally.js';
import { usageApart } from '../tokens.js';
import {
  byId,
  callOf,
  messageOf,
  modelOf,
  partOf,
  partsByMessage,
  sessionOf,
  timesOf,
  todoRows,
  typedText,
  type Message,
  type MessagePart,
  type SessionFacts,
} from './rows.js';
import { buildTurns } from './turns.js';

/** A fold over the rows of one session of OpenCode, or of a program made from it. */
export const openCodeParser = (
  agent: string,
  nativeId: string,
  options: ParserOptions = {},
): ThreadParser => new OpenCodeParser(agent, nativeId, options);

class OpenCodeParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly messages = new RowFold<Message>();
  private readonly parts = new RowFold<MessagePart>();
  private session: SessionFacts = sessionOf({});
  private todos: readonly Todo[] = [];

  constructor(
    private readonly agent: string,
    private readonly nativeId: string,
    private readonly options: ParserOptions,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const { fields } = this.log.take(record, place);
    const said = fields && readRowRecord(fields);
    if (said === undefined) return;
    if ('present' in said) {
      this.messages.keepOnly(said.present);
      this.parts.keepOnly(said.present);
    } else this.put(said.table, said.row);
  }

  get working(): boolean {
    const last = inOrder(this.messages.present()).at(-1);
    if (last === undefined || last.data['error'] !== undefined) return false;
    if (last.role === 'user') return true;
    const isOver = fieldsOf(last.data['time'])?.['completed'] !== undefined;
    // After a step that called tools the next one follows.
    return !isOver || last.data['finish'] === 'tool-calls';
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const { id, parent, directory, title, version } = this.session;
    return {
      agent: this.agent,
      nativeId: this.nativeId || (id ?? ''),
      title,
      cwd: directory,
      parent,
      version,
      ...(options.turns === false ? noTurns : this.conversation()),
      todos: this.todos,
      counts: { ...this.tally().counts(), ...this.log.counts },
      skipped: this.log.skipped,
    };
  }

  private put(table: string, row: Fields): void {
    for (const time of timesOf(row)) this.log.note(time);
    if (table === 'session') this.session = sessionOf(row);
    else if (table === 'todo') this.todos = todoRows(row).flatMap(todoOf);
    else if (table === 'message') {
      this.putRow(this.messages, table, row, messageOf(row), leanMessage);
    } else if (table === 'part') this.putRow(this.parts, table, row, partOf(row), leanPart);
  }

  private putRow<T>(
    fold: RowFold<T>,
    table: string,
    row: Fields,
    value: T | undefined,
    lean: (value: T) => T,
  ): void {
    if (value !== undefined) fold.put(table, row, this.keeps ? value : lean(value));
    else this.log.skipped.push({ line: this.log.line, offset: 0, reason: 'notJson' });
  }

  private get keeps(): boolean {
    return this.options.turns !== false;
  }

  private conversation(): Conversation {
    const messages = inOrder(this.messages.present());
    const { revert } = this.session;
    const now: Rows = { messages, parts: this.parts.present(), revert };
    const left = [...this.removed(), ...(revert === undefined ? [] : [undone(now)])];
    const rows = left.find(({ leaf }) => leaf === this.options.leaf)?.rows ?? now;
    const branches = leftBranches(left, shownIn(now), (message) => this.spokenIn(message));
    return conversation(buildTurns(rows), branches, this.options);
  }

  /** What the next prompt after an undo deleted: the session as it was before each such time. */
  private removed(): readonly (LeftBranch<Message> & { readonly rows: Rows })[] {
    return this.messages.losses().flatMap((finding) => {
      const before = inOrder(this.messages.before(finding));
      const messages = beforeLoss(before, this.messages.lostAt(finding));
      const leaf = messages.at(-1)?.id;
      const rows = { messages, parts: this.parts.before(finding), revert: undefined };
      return leaf === undefined ? [] : [{ leaf, items: messages, rows }];
    });
  }

  private spokenIn({ id, role, createdAt }: Message): Spoken | undefined {
    if (role !== 'user' && role !== 'assistant') return undefined;
    const parts = role === 'user' ? partsOf(this.parts.all(), id) : [];
    const prompt = role === 'user' ? promptText(parts) : undefined;
    return { key: id, at: createdAt > 0 ? createdAt : undefined, prompt };
  }

  /** Everything counts that the session ever held, undone and deleted turns too. */
  private tally(): ThreadTally {
    const tally = new ThreadTally();
    const parts = partsByMessage(this.parts.all());
    for (const message of inOrder(this.messages.all())) {
      const own = parts.get(message.id) ?? [];
      if (message.role === 'user') tallyPrompt(tally, own);
      else if (message.role === 'assistant') tallyAnswer(tally, message, own);
    }
    return tally;
  }
}

type Rows = Parameters<typeof buildTurns>[0];

/** The session without its undo. */
const undone = (now: Rows): LeftBranch<Message> & { readonly rows: Rows } => ({
  leaf: now.messages.at(-1)?.id ?? '',
  items: now.messages,
  rows: { ...now, revert: undefined },
});

function shownIn({ messages, revert }: Rows): readonly Message[] {
  const at = messages.findIndex(({ id }) => id === revert?.messageId);
  return at < 0 ? messages : messages.slice(0, at);
}

const partsOf = (parts: readonly MessagePart[], message: string): readonly MessagePart[] =>
  parts.filter(({ messageId }) => messageId === message).toSorted(byId);

/** A prompt has words or files; what a command or a compaction put there has neither. */
function tallyPrompt(tally: ThreadTally, parts: readonly MessagePart[]): void {
  const text = promptText(parts);
  const hasFiles = parts.some(({ type }) => type === 'file');
  if (text !== '' || hasFiles) tally.prompts.add(text);
}

const promptText = (parts: readonly MessagePart[]): string =>
  parts
    .map(typedText)
    .filter((text) => text !== undefined)
    .join('\n')
    .trim();

function tallyAnswer(tally: ThreadTally, message: Message, parts: readonly MessagePart[]): void {
  tally.answers.add(message.id);
  tally.tokens.add(usageApart(message.data['tokens']), message.id);
  const model = modelOf(message);
  if (model !== undefined) tally.models.add(model);
  for (const part of parts) {
    if (part.type === 'reasoning') tally.thinkingBlocks += 1;
    const call = callOf(part);
    if (call === undefined) continue;
    tally.calls.add(call.id);
    if (call.isAnswered) tally.results.add(call.id);
  }
}

const inOrder = (messages: readonly Message[]): readonly Message[] =>
  messages.toSorted((one, other) => one.createdAt - other.createdAt || byId(one, other));

const states: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'doing',
  completed: 'done',
  cancelled: 'done',
};

function todoOf(row: Fields): readonly Todo[] {
  const text = textOf(row['content']);
  return text === undefined ? [] : [{ text, state: states[textOf(row['status']) ?? ''] ?? 'open' }];
}

/** What counts need of a message; `isFields` values of use to turns only are left out. */
const leanMessage = (message: Message): Message => ({
  ...message,
  data: pick(message.data, ['modelID', 'finish', 'error', 'time', 'tokens']),
});

function leanPart(part: MessagePart): MessagePart {
  const state = fieldsOf(part.data['state']);
  const kept = pick(part.data, ['text', 'synthetic', 'ignored', 'callID', 'tool']);
  const data = part.type === 'text' ? kept : { ...kept, text: undefined };
  return { ...part, data: isFields(state) ? { ...data, state: pick(state, ['status']) } : data };
}

const pick = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.filter((key) => key in fields).map((key) => [key, fields[key]]));
