import { fieldsOf, isFields, momentIn, objectsOf, textOf, type Fields } from '../json.js';

/**
 * Rows as the records keep them: of a database `{id, session_id, time_created, …, data}`, of the older
 * JSON files `{id, message_id?, data}` with the file's content as `data`.
 */

export interface Message {
  readonly id: string;
  readonly createdAt: number;
  readonly role: string | undefined;
  readonly data: Fields;
}

export interface MessagePart {
  readonly id: string;
  readonly messageId: string;
  readonly type: string | undefined;
  readonly data: Fields;
}

/** Undefined when the row's content is no JSON object. */
export function messageOf(row: Fields): Message | undefined {
  const data = fieldsOf(row['data']);
  const id = textOf(row['id']);
  if (data === undefined || id === undefined) return undefined;
  const createdAt = momentIn(row['time_created']) ?? momentIn(fieldsOf(data['time'])?.['created']);
  return { id, createdAt: createdAt ?? 0, role: textOf(data['role']), data };
}

/** Undefined when the row's content is no JSON object. */
export function partOf(row: Fields): MessagePart | undefined {
  const data = fieldsOf(row['data']);
  const id = textOf(row['id']);
  const messageId = textOf(row['message_id']) ?? textOf(data?.['messageID']);
  if (data === undefined || id === undefined || messageId === undefined) return undefined;
  return { id, messageId, type: textOf(data['type']), data };
}

/** Text that a person typed, not what the program put beside it. */
export const typedText = ({ type, data }: MessagePart): string | undefined =>
  type === 'text' && data['synthetic'] !== true && data['ignored'] !== true
    ? textOf(data['text'])
    : undefined;

/** The call of a tool part; without a call id the part's own stands for it. */
export const callOf = ({ id, type, data }: MessagePart) => {
  if (type !== 'tool') return undefined;
  const state = fieldsOf(data['state']) ?? {};
  const isAnswered = state['status'] === 'completed' || state['status'] === 'error';
  return { id: textOf(data['callID']) ?? id, name: textOf(data['tool']) ?? '', state, isAnswered };
};

export const modelOf = ({ data }: Message): string | undefined =>
  textOf(data['modelID']) ?? textOf(fieldsOf(data['model'])?.['modelID']);

export interface SessionFacts {
  readonly id: string | undefined;
  readonly parent: string | undefined;
  readonly directory: string | undefined;
  /** Undefined while the program has not thought of one. */
  readonly title: string | undefined;
  readonly version: string | undefined;
  /** From here on everything was undone. */
  readonly revert: { readonly messageId: string; readonly partId: string | undefined } | undefined;
}

const givenTitle = /^(New|Child) session - \d{4}-\d\d-\d\dT/;

export function sessionOf(row: Fields): SessionFacts {
  const data = fieldsOf(row['data']);
  const has = (column: string, key = column): string | undefined =>
    textOf(row[column]) ?? textOf(data?.[key]);
  const title = has('title');
  const revert = fieldsOf(row['revert']) ?? fieldsOf(data?.['revert']);
  const messageId = textOf(revert?.['messageID']);
  return {
    id: has('id'),
    parent: has('parent_id', 'parentID'),
    directory: has('directory'),
    title: title !== undefined && givenTitle.test(title) ? undefined : title,
    version: has('version'),
    revert: messageId === undefined ? undefined : { messageId, partId: textOf(revert?.['partID']) },
  };
}

/** Times of a row and of its content, in milliseconds since the epoch. */
export function timesOf(row: Fields): readonly unknown[] {
  const data = fieldsOf(row['data']);
  const inner = [data?.['time'], fieldsOf(data?.['state'])?.['time']].filter(isFields);
  return [
    row['time_created'],
    row['time_updated'],
    ...inner.flatMap((time) =>
      ['created', 'updated', 'completed', 'start', 'end'].map((key) => time[key]),
    ),
  ];
}

/** Parts of each message, in order: their ids grow with time. */
export function partsByMessage(
  parts: readonly MessagePart[],
): ReadonlyMap<string, readonly MessagePart[]> {
  const groups = new Map<string, MessagePart[]>();
  for (const part of parts.toSorted(byId)) {
    const group = groups.get(part.messageId);
    if (group === undefined) groups.set(part.messageId, [part]);
    else group.push(part);
  }
  return groups;
}

export const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1;

/** The todos of a row that holds all of a session's. */
export const todoRows = (row: Fields): readonly Fields[] => objectsOf(row['todos']);
