import type { Thread } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { callParts, textParts, type ToolResult } from '../parts.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { readRowRecord, RowFold } from '../sqlite/rowRecord.js';
import { momentOf } from './bubbles.js';
import { typedIn } from './prompt.js';
import { tallyOf, turnsOf, type Step } from './steps.js';

interface Message {
  readonly place: number;
  readonly id: string;
  readonly value: Fields;
}

/** A chat of the command line: messages in the form of the AI SDK. */
export class ChatStoreParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly messages = new RowFold<Message>();
  private meta: Fields = {};

  constructor(
    private readonly agent: string,
    private readonly nativeId: string,
    private readonly options: ParserOptions = {},
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const { fields } = this.log.take(record, place);
    const said = fields && readRowRecord(fields);
    if (said === undefined) return;
    if ('present' in said) this.messages.keepOnly(said.present);
    else if (said.table === 'chat') {
      this.meta = fieldsOf(said.row['value']) ?? {};
      this.log.note(momentOf(this.meta['createdAt']));
    } else if (said.table === 'message') this.takeMessage(said.row);
  }

  get working(): boolean {
    return this.steps().at(-1)?.role === 'user';
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const steps = this.steps();
    const wantsTurns = options.turns !== false && this.options.turns !== false;
    return {
      agent: this.agent,
      nativeId: this.nativeId || (textOf(this.meta['agentId']) ?? ''),
      title: textOf(this.meta['name']),
      turns: wantsTurns ? turnsOf(steps) : [],
      todos: [],
      counts: { ...tallyOf(steps).counts(), ...this.log.counts },
      skipped: this.log.skipped,
    };
  }

  private takeMessage(row: Fields): void {
    const value = fieldsOf(row['value']);
    // A node of the tree that is no message is not JSON.
    if (value === undefined || !isString(value['role'])) return;
    const place = typeof row['place'] === 'number' ? row['place'] : 0;
    this.messages.put('message', row, { place, id: textOf(row['id']) ?? '', value });
  }

  private steps(): readonly Step[] {
    const messages = this.messages.present().toSorted((one, other) => one.place - other.place);
    const results = new Map(messages.flatMap(({ value }) => resultsIn(value)));
    return messages.map(({ id, value }) => stepOf(id, value, results));
  }
}

const blocksOf = ({ content }: Fields): readonly Fields[] =>
  isString(content) ? [{ type: 'text', text: content }] : objectsOf(content);

const resultsIn = (message: Fields): readonly (readonly [string, ToolResult])[] =>
  blocksOf(message).flatMap((block) => {
    if (block['type'] !== 'tool-result') return [];
    const { result } = block;
    const text = isString(result) ? result : JSON.stringify(result ?? '');
    return [
      [textOf(block['toolCallId']) ?? '', { text, isError: block['isError'] === true }] as const,
    ];
  });

function stepOf(id: string, message: Fields, results: ReadonlyMap<string, ToolResult>): Step {
  const { role } = message;
  const blocks = blocksOf(message);
  if (role === 'user') {
    const typed = typedIn(blocks.map((block) => textOf(block['text']) ?? '').join('\n'));
    return { id, role: typed === '' ? 'none' : 'user', typed, parts: textParts(typed) };
  }
  if (role !== 'assistant') return { id, role: 'none', parts: [] };
  const parts = blocks.flatMap((block) => {
    const text = textOf(block['text']);
    if (block['type'] === 'reasoning') return [{ kind: 'thinking', text: text ?? '' } as const];
    if (block['type'] !== 'tool-call') return textParts(text);
    const call = textOf(block['toolCallId']) ?? '';
    const name = textOf(block['toolName']) ?? '';
    return callParts({ id: call, name, input: block['args'] }, results.get(call));
  });
  return { id, role, parts };
}
