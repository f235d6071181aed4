import type { Thread } from '../../core/model/thread.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { readRowRecord, RowFold } from '../sqlite/rowRecord.js';
import { pathOfUri, uriOf } from '../vscode-chat/values.js';
import { momentOf, stepOfBubble, todosOf } from './bubbles.js';
import { lean, tallyOf, turnsOf, type Step } from './steps.js';

interface Placed {
  readonly step: Step;
  /** Place in the conversation; none: left over from something that was taken back. */
  readonly place: number | undefined;
}

/** A conversation of Cursor's editor: its composer, member by member, and its bubbles. */
export class ComposerParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly bubbles = new RowFold<Placed>();
  private readonly members = new Map<string, unknown>();

  constructor(
    private readonly agent: string,
    private readonly nativeId: string,
    private readonly options: ParserOptions = {},
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const { fields } = this.log.take(record, place);
    const said = fields && readRowRecord(fields);
    if (said === undefined) return;
    if ('present' in said) this.bubbles.keepOnly(said.present);
    else if (said.table === 'composer') this.takeMembers(fieldsOf(said.row['value']) ?? {});
    else if (said.table === 'bubble') this.takeBubble(said.table, said.row);
  }

  get working(): boolean {
    const { status } = this.composer;
    return status === 'generating' || this.steps().at(-1)?.role === 'user';
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const { composer } = this;
    const steps = this.steps();
    const model = textOf(fieldsOf(composer['modelConfig'])?.['modelName']);
    const counts = tallyOf(steps).counts();
    return {
      agent: this.agent,
      nativeId: this.nativeId || (textOf(composer['composerId']) ?? ''),
      title: textOf(composer['name']),
      cwd: folderOf(fieldsOf(composer['workspaceIdentifier'])?.['uri']),
      turns: options.turns === false ? [] : turnsOf(steps),
      todos: todosOf(composer),
      counts: {
        ...counts,
        models: counts.models.length > 0 || model === undefined ? counts.models : [model],
        ...this.log.counts,
      },
      skipped: this.log.skipped,
    };
  }

  private get composer(): Fields {
    return Object.fromEntries(this.members);
  }

  private takeMembers(value: Fields): void {
    for (const [key, member] of Object.entries(value)) this.members.set(key, member);
    this.log.note(momentOf(value['createdAt']));
    this.log.note(momentOf(value['lastUpdatedAt']));
  }

  private takeBubble(table: string, row: Fields): void {
    const value = fieldsOf(row['value']);
    const id = textOf(row['id']) ?? '';
    if (value === undefined) {
      this.log.skipped.push({ line: this.log.line, offset: 0, reason: 'notJson' });
      return;
    }
    const step = stepOfBubble(id, value);
    this.log.note(step.at);
    const place = typeof row['place'] === 'number' ? row['place'] : undefined;
    this.bubbles.put(table, row, { step: this.options.turns === false ? lean(step) : step, place });
  }

  private steps(): readonly Step[] {
    return this.bubbles
      .present()
      .flatMap(({ step, place }) => (place === undefined ? [] : [{ step, place }]))
      .toSorted((one, other) => one.place - other.place)
      .map(({ step }) => step);
  }
}

function folderOf(uri: unknown): string | undefined {
  const text = uriOf(uri);
  return textOf(fieldsOf(uri)?.['fsPath']) ?? (text === undefined ? undefined : pathOfUri(text));
}
