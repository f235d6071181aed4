import CRC32 from 'crc-32';
import type { Thread, Todo } from '../../core/model/thread.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { decode, rescue } from '../decode.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import { chosenItems, leftBranches, spokenInTurn } from '../leftBranches.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { PromptTally, ThreadTally } from '../threadTally.js';
import { shortened } from '../titles.js';
import { folderOf, kindOf, lineOf, parentOf, type Line } from './line.js';
import { promptOf, promptSources, type PromptSource } from './prompt.js';
import { CodexUsage } from './usage.js';
import { callOf, resultOf, todosOf } from './tools.js';
import { buildTurns } from './turns.js';

/** A fold over the lines of one rollout of Codex; see docs/agents.md for what is counted. */
export const codexParser = (nativeId: string, options: ParserOptions = {}): ThreadParser =>
  new CodexParser(nativeId, options);

class CodexParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly tally = new ThreadTally();
  private readonly prompts = {
    event: new PromptTally(),
    item: new PromptTally(),
    message: new PromptTally(),
  };
  /** Items that were seen, by id and content: some services give every item the same id. */
  private readonly seen = new Set<string>();
  private readonly kept: (() => Line | undefined)[] = [];
  private meta: Fields | undefined;
  private cwd: string | undefined;
  private title: string | undefined;
  private todos: readonly Todo[] = [];
  private readonly usage = new CodexUsage();
  private hasTurnEvents = false;
  working = false;

  constructor(
    private readonly nativeId: string,
    private readonly options: ParserOptions,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const decoded = this.log.take(record, place);
    if (decoded.fields === undefined) {
      for (const fields of this.keeps ? rescue(decoded.text) : []) {
        this.kept.push(() => lineOf(fields));
      }
      return;
    }
    const line = lineOf(decoded.fields);
    if (line === undefined) return;
    this.log.note(line.timestamp);
    if (this.isCopy(line)) return;
    this.read(line);
    if (this.keeps) this.kept.push(() => lineOf(decode(record).fields ?? {}));
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const counts = this.tally.counts(this.prompts[this.promptSource]);
    return {
      agent: 'codex',
      nativeId: this.nativeId || (textOf(this.meta?.['id']) ?? ''),
      title: this.title ?? shortened(counts.firstPrompt),
      cwd: this.cwd,
      branch: textOf(fieldsOf(this.meta?.['git'])?.['branch']),
      parent: this.meta && parentOf(this.meta),
      version: textOf(this.meta?.['cli_version']),
      ...(options.turns === false ? noTurns : this.conversation()),
      todos: this.todos,
      counts: { ...counts, ...this.log.counts },
      skipped: [...this.log.skipped],
    };
  }

  private get promptSource(): PromptSource {
    return promptSources.find((source) => this.prompts[source].count > 0) ?? 'message';
  }

  private isCopy({ payload }: Line): boolean {
    const id = textOf(payload['id']) ?? textOf(fieldsOf(payload['item'])?.['id']);
    if (id === undefined) return false;
    const key = `${id} ${CRC32.str(JSON.stringify(payload))}`;
    if (this.seen.has(key)) return true;
    this.seen.add(key);
    return false;
  }

  private read(line: Line): void {
    this.cwd ??= folderOf(line);
    const prompt = promptOf(line);
    if (prompt !== undefined) {
      this.prompts[prompt.from].add(prompt.text);
      this.working = true;
    } else if (line.type === 'session_meta') {
      // A fork or a subagent copies its parent's after its own.
      this.meta ??= line.payload;
    } else if (line.type === 'turn_context') {
      const model = textOf(line.payload['model']);
      if (model !== undefined) this.tally.models.add(model);
    } else if (line.type === 'response_item') this.readItem(line);
    else if (line.type === 'event_msg') this.readEvent(line);
  }

  private readItem(line: Line): void {
    const item = line.payload;
    const kind = kindOf(line);
    const call = callOf(item);
    const result = resultOf(item);
    if (kind === 'message' && item['role'] === 'assistant') {
      this.tally.answers.add(`#${this.log.line}`);
      // Old versions do not write when a turn ends; there an answer ends it, as far as one can tell.
      if (!this.hasTurnEvents) this.working = false;
    } else if (kind === 'reasoning') this.tally.thinkingBlocks += 1;
    else if (call !== undefined) {
      this.tally.calls.add(call.id);
      this.todos = todosOf(call) ?? this.todos;
      this.working = true;
    } else if (result !== undefined) {
      this.tally.results.add(result.id);
      this.working = true;
    }
  }

  private readEvent(line: Line): void {
    const kind = kindOf(line);
    this.tally.tokens.add(this.usage.newIn(line));
    if (kind === 'thread_name_updated') {
      this.title = textOf(line.payload['thread_name']);
    } else if (kind === 'task_started' || kind === 'turn_started') {
      this.hasTurnEvents = true;
      this.working = true;
    } else if (kind === 'task_complete' || kind === 'turn_complete' || kind === 'turn_aborted') {
      this.hasTurnEvents = true;
      this.working = false;
    }
  }

  private get keeps(): boolean {
    return this.options.turns !== false;
  }

  private conversation(): Conversation {
    const lines = this.kept.flatMap((line) => line() ?? []);
    const { turns, left } = buildTurns(lines, this.promptSource);
    const chosen = chosenItems(left, turns, this.options.leaf);
    return conversation(chosen, leftBranches(left, turns, spokenInTurn), this.options);
  }
}
