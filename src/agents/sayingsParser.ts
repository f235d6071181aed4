import type { Thread, ThreadCounts, Todo, Tokens } from '../core/model/thread.js';
import { conversation, noTurns, type Conversation } from './conversation.js';
import type { Fields } from './json.js';
import { Recall } from './recall.js';
import { RecordLog } from './recordLog.js';
import type { About, Dialect, Said, Saying } from './sayings.js';
import { saidBranch } from './sayingsTree.js';
import { buildTurns } from './sayingsTurns.js';
import type { ParserOptions, RecordPlace, Source, ThreadParser } from './source.js';
import { ThreadTally } from './threadTally.js';
import { shortened } from './titles.js';

/** A parser of threads in which one record follows the other, without branches. */
export const sayingsParser =
  (dialect: Dialect): Source['parser'] =>
  (nativeId, options: ParserOptions = {}) =>
    new SayingsParser(dialect, nativeId, options);

class SayingsParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly tally = new ThreadTally();
  private readonly seen = new Set<string>();
  private readonly recall = new Recall();
  private readonly kept: (() => Fields)[] = [];
  private readonly read;
  private about: About = {};
  private title: string | undefined;
  private todos: readonly Todo[] = [];
  private answers = 0;
  private totalTokens: Tokens | undefined;
  private hasCallIds = true;
  working = false;

  constructor(
    private readonly dialect: Dialect,
    private readonly nativeId: string,
    private readonly options: ParserOptions,
  ) {
    this.read = dialect.reader();
  }

  push(record: Uint8Array, place?: RecordPlace): void {
    const fields = this.dialect.fieldsOf?.(record) ?? this.log.take(record, place).fields;
    if (fields === undefined) return;
    const said = this.read(fields);
    if (this.keeps) this.kept.push(this.recalled(record, fields));
    for (const time of said.times ?? []) this.log.note(time);
    if (this.isCopy(said)) return;
    for (const saying of said.says) this.take(saying);
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const { id, cwd, branch, parent, version } = this.about;
    const counts = this.counts();
    return {
      agent: this.dialect.agent,
      nativeId: this.nativeId || (id ?? ''),
      title: this.about.title ?? shortened(this.title ?? counts.firstPrompt),
      cwd,
      branch,
      parent,
      version,
      ...(options.turns === false ? noTurns : this.conversation()),
      todos: this.todos,
      counts: { ...counts, ...this.log.counts },
      skipped: [...this.log.skipped],
    };
  }

  private counts(): Omit<ThreadCounts, 'malformed' | 'firstAt' | 'lastAt'> {
    const known = this.tally.counts();
    const tokens = known.tokens ?? this.totalTokens;
    const counts = { ...known, ...(tokens && { tokens }) };
    if (this.hasCallIds || this.tally.calls.size + this.tally.results.size > 0) return counts;
    return { ...counts, toolCalls: null, toolResultsMatched: null, toolResultsOrphan: null };
  }

  private isCopy({ id }: Said): boolean {
    if (id === undefined) return false;
    if (this.seen.has(id)) return true;
    this.seen.add(id);
    return false;
  }

  private take(saying: Saying): void {
    switch (saying.kind) {
      case 'prompt':
        if (saying.isMore === true) {
          this.tally.prompts.addMore(saying.text);
          break;
        }
        this.tally.prompts.add(saying.text);
        if (!isCommand(saying.text)) this.title ??= saying.text || undefined;
        this.working = true;
        break;
      case 'answer':
        this.tally.answers.add(saying.key ?? `#${this.answers++}`);
        this.addModel(saying.model);
        this.working = false;
        break;
      case 'thinking':
        if (saying.isMore !== true) this.tally.thinkingBlocks += 1;
        break;
      case 'call':
        if (hasOwnId(saying)) this.tally.calls.add(saying.id);
        else this.hasCallIds = false;
        this.working = saying.result === undefined;
        break;
      case 'result':
        if (hasOwnId(saying)) this.tally.results.add(saying.id);
        this.working = true;
        break;
      case 'tokens':
        this.tally.tokens.add(saying.tokens, saying.key);
        break;
      case 'totalTokens':
        this.totalTokens = saying.tokens;
        break;
      case 'todos':
        this.todos = saying.todos;
        break;
      case 'working':
        this.working = saying.is;
        break;
      case 'about':
        this.note(saying);
        break;
    }
  }

  /** The newest record says it best, but for which thread it is and where it began. */
  private note(about: About): void {
    const { id, title, cwd, branch, parent, version } = about;
    const before = this.about;
    this.addModel(about.model);
    if (about.hasCallIds === false) this.hasCallIds = false;
    this.about = {
      id: before.id ?? id,
      title: title ?? before.title,
      cwd: before.cwd ?? cwd,
      branch: branch ?? before.branch,
      parent: before.parent ?? parent,
      version: version ?? before.version,
    };
  }

  private addModel(model: string | undefined): void {
    if (model !== undefined) this.tally.models.add(model);
  }

  private get keeps(): boolean {
    return this.options.turns !== false;
  }

  private conversation(): Conversation {
    const read = this.dialect.reader();
    const all = this.kept.map((fields) => read(fields()));
    const { shown, branches } = saidBranch(all, this.options.leaf);
    return conversation(buildTurns(shown), branches, this.options);
  }

  private recalled(record: Uint8Array, fields: Fields): () => Fields {
    const { fieldsOf } = this.dialect;
    return fieldsOf === undefined ? this.recall.of(record, fields) : () => fieldsOf(record);
  }
}

const hasOwnId = ({ id, isMadeUp }: { id: string; isMadeUp?: boolean }): boolean =>
  id !== '' && isMadeUp !== true;

/** `/clear` says nothing about a thread. */
const isCommand = (prompt: string): boolean => /^[/!]\S/.test(prompt);
