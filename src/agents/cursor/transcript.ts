import type { Thread } from '../../core/model/thread.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from '../json.js';
import { callParts, textParts, withImages } from '../parts.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { typedIn } from './prompt.js';
import { TodoFold } from './todos.js';
import { lean, tallyOf, turnsOf, type Step } from '../sqlite/steps.js';

/** How a transcript is written. */
export interface TranscriptForm {
  /** What a record is, where it is no JSON. */
  readonly fieldsOf?: (record: Uint8Array) => Fields;
  readonly stepOf: (record: Fields, place: number) => Step | undefined;
}

/** A transcript that Cursor's agent keeps: messages without ids and times. */
export class TranscriptParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly steps: Step[] = [];
  private readonly list = new TodoFold();
  private records = 0;
  private ended = true;

  constructor(
    private readonly agent: string,
    private readonly nativeId: string,
    private readonly options: ParserOptions = {},
    private readonly form = jsonForm,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const { form } = this;
    const fields = form.fieldsOf ? form.fieldsOf(record) : this.log.take(record, place).fields;
    this.records += 1;
    if (fields === undefined) return;
    if (fields['type'] === 'turn_ended') this.ended = true;
    const step = form.stepOf(fields, form.fieldsOf ? this.records : this.log.line);
    if (step === undefined) return;
    this.ended = step.role === 'assistant' && step.parts.every(({ kind }) => kind !== 'toolCall');
    this.list.take(step.parts);
    this.steps.push(this.options.turns === false ? lean(step) : step);
  }

  get working(): boolean {
    return !this.ended;
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    return {
      agent: this.agent,
      nativeId: this.nativeId,
      turns: options.turns === false ? [] : withImages(turnsOf(this.steps), this.options),
      todos: this.list.todos,
      counts: {
        ...tallyOf(this.steps).counts(),
        // Calls have no ids.
        toolCalls: null,
        toolResultsMatched: null,
        toolResultsOrphan: null,
        ...this.log.counts,
      },
      skipped: this.log.skipped,
    };
  }
}

/** JSON lines (`agent-transcripts/<id>.jsonl`): calls without results, reasoning replaced by a mark. */
const jsonForm: TranscriptForm = { stepOf };

const redacted = /\s*\[REDACTED\]\s*$/;

function stepOf(record: Fields, place: number): Step | undefined {
  const id = `line-${place}`;
  const { role } = record;
  const content = fieldsOf(record['message'])?.['content'];
  const blocks = isString(content) ? [{ type: 'text', text: content }] : objectsOf(content);
  if (role === 'user') {
    const typed = typedIn(
      blocks
        .map(textIn)
        .filter((text) => text !== '')
        .join('\n'),
    );
    return typed === '' ? undefined : { id, place, role, typed, parts: textParts(typed) };
  }
  if (role !== 'assistant') return undefined;
  const parts = blocks.flatMap((block, at) => answerParts(block, `${id}-${at}`));
  return { id, place, role, parts };
}

function answerParts(block: Fields, id: string) {
  const { type } = block;
  if (type === 'thinking') {
    return [{ kind: 'thinking', text: textOf(block['thinking']) ?? '' } as const];
  }
  if (type === 'tool_use') {
    return callParts({ id, name: textOf(block['name']) ?? '', input: block['input'] }, undefined);
  }
  return textParts(textIn(block).replace(redacted, ''));
}

const textIn = (block: Fields): string =>
  block['type'] === 'text' && isString(block['text']) ? block['text'] : '';

/** Whether a record is a transcript's: no other agent's has a role beside its message, and no id. */
export const isTranscriptRecord = (record: Fields): boolean =>
  (record['role'] === 'user' || record['role'] === 'assistant') &&
  isFields(record['message']) &&
  !('type' in record) &&
  !('uuid' in record);
