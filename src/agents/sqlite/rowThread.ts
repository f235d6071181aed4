import type { AgentId, Thread, Todo, Tokens } from '../../core/model/thread.js';
import type { Fields } from '../json.js';
import type { Spoken } from '../branch.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { beforeLoss, chosenItems, leftBranches, type LeftBranch } from '../leftBranches.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { readRowRecord, RowFold } from './rowRecord.js';
import { lean, tallyOf, turnsOf, type Step } from './steps.js';

/** How an agent keeps a conversation in rows. */
export interface RowDialect {
  readonly agent: AgentId;
  /** The table whose rows are the conversation's steps. */
  readonly table: string;
  /** A row is told by its place, where another step may stand later: what went cannot be put together again. */
  readonly rowsArePlaces?: boolean;
  /** Undefined when the row cannot be understood. */
  readonly stepOf: (row: Fields) => Step | undefined;
  /** Takes one more row of any other table; returns what is known of the conversation then. */
  readonly about: (before: About, table: string, row: Fields) => About;
}

/** What rows say about the conversation as a whole. */
export interface About {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly parent?: string | undefined;
  readonly version?: string | undefined;
  /** Of answers that name none. */
  readonly model?: string | undefined;
  readonly todos?: readonly Todo[] | undefined;
  /** Of the whole conversation, where steps do not say it. */
  readonly tokens?: Tokens | undefined;
  /** Milliseconds since the epoch. */
  readonly times?: readonly (number | undefined)[];
  /** Absent: told from the last step. */
  readonly working?: boolean | undefined;
}

/** A fold over the rows of one conversation; the last version of each row counts. */
export class RowThreadParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly steps = new RowFold<Step>();
  /** Steps of a branch that was left before the conversation was first read. */
  private readonly leftOver = new Map<string, Step>();
  private known: About = {};

  constructor(
    private readonly dialect: RowDialect,
    private readonly nativeId: string,
    private readonly options: ParserOptions = {},
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const { fields } = this.log.take(record, place);
    const said = fields && readRowRecord(fields);
    if (said === undefined) return;
    if ('present' in said) this.steps.keepOnly(said.present);
    else if (said.table === this.dialect.table) this.takeStep(said.table, said.row);
    else {
      this.known = this.dialect.about(this.known, said.table, said.row);
      for (const time of this.known.times ?? []) this.log.note(time);
    }
  }

  get working(): boolean {
    const last = inOrder(this.steps.present()).at(-1);
    if (this.known.working !== undefined) return this.known.working;
    if (last === undefined) return false;
    if (last.role === 'user' || (last.results ?? []).length > 0) return true;
    return last.parts.some((part) => part.kind === 'toolCall' && part.result === undefined);
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const { id, title, cwd, branch, parent, version, todos = [] } = this.known;
    return {
      agent: this.dialect.agent,
      nativeId: this.nativeId || (id ?? ''),
      title,
      cwd,
      branch,
      parent,
      version,
      ...(options.turns === false ? noTurns : this.conversation()),
      todos,
      counts: this.counts(),
      skipped: this.log.skipped,
    };
  }

  private conversation(): Conversation {
    if (this.options.turns === false) return noTurns;
    const now = inOrder(this.steps.present());
    const left = this.removed();
    const steps = chosenItems(left, now, this.options.leaf);
    return conversation(turnsOf(steps), leftBranches(left, now, spokenIn), this.options);
  }

  /** The conversation as it was before rows went: edited away, or replaced by a summary. */
  private removed(): readonly LeftBranch<Step>[] {
    if (this.dialect.rowsArePlaces === true) return [];
    const removed = this.steps.losses().flatMap((finding) => {
      const items = beforeLoss(inOrder(this.steps.before(finding)), this.steps.lostAt(finding));
      const leaf = items.at(-1)?.id;
      return leaf === undefined ? [] : [{ leaf, items }];
    });
    return [...this.leftBefore(), ...removed];
  }

  /** Steps that were left over have no place any more, but a time: they followed what was said before. */
  private leftBefore(): readonly LeftBranch<Step>[] {
    const left = [...this.leftOver.values()]
      .filter(({ at }) => at !== undefined)
      .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
    const first = left[0]?.at ?? 0;
    const leaf = left.at(-1)?.id;
    if (leaf === undefined) return [];
    const before = inOrder(this.steps.present()).filter(({ at = Infinity }) => at < first);
    return [{ leaf, items: [...before, ...left] }];
  }

  /** Of everything that was ever there. */
  private counts(): Thread['counts'] {
    const { model } = this.known;
    const counts = tallyOf(inOrder(this.steps.all())).counts();
    const models = counts.models.length > 0 || model === undefined ? counts.models : [model];
    const tokens = counts.tokens ?? this.known.tokens;
    return { ...counts, ...(tokens && { tokens }), models, ...this.log.counts };
  }

  private kept(step: Step): Step {
    return this.options.turns === false ? lean(step) : step;
  }

  private takeStep(table: string, row: Fields): void {
    const step = this.dialect.stepOf(row);
    if (step === undefined) {
      this.log.skipped.push({ line: this.log.line, offset: 0, reason: 'notJson' });
      return;
    }
    if (step.isLeftOver !== true) {
      this.log.note(step.at);
      this.leftOver.delete(step.id);
      this.steps.put(table, row, this.kept(step));
    } else if (!this.steps.drop(table, row) && this.options.turns !== false) {
      this.leftOver.set(step.id, step);
    }
  }
}

function spokenIn({ id, role, at, typed, parts }: Step): Spoken | undefined {
  if (role === 'user') return { key: id, at, prompt: typed };
  return role === 'assistant' && parts.length > 0 ? { key: id, at } : undefined;
}

const inOrder = (steps: readonly Step[]): readonly Step[] =>
  steps.toSorted((one, other) => one.place - other.place);
