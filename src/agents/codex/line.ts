import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';

/** A line of a rollout, whichever version wrote it. */
export interface Line {
  readonly type: string;
  readonly payload: Fields;
  readonly timestamp: unknown;
}

/** Until September 2025 items stood on their lines without an envelope, after a first line of facts. */
export function lineOf(record: Fields): Line | undefined {
  const { timestamp } = record;
  const type = textOf(record['type']);
  const payload = fieldsOf(record['payload']);
  if (type !== undefined && payload !== undefined) return { type, payload, timestamp };
  if (record['record_type'] !== undefined) return undefined;
  if (type !== undefined) return { type: 'response_item', payload: record, timestamp };
  // The TypeScript program of early 2025 kept the facts apart, in a file that is one object.
  const session = fieldsOf(record['session']) ?? record;
  return isString(session['id'])
    ? { type: 'session_meta', payload: session, timestamp: session['timestamp'] }
    : undefined;
}

/** Kind of an item or an event. */
export const kindOf = ({ payload }: Line): string => textOf(payload['type']) ?? '';

const workingFolder = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m;

/** The working folder that a line names; old versions have it in the context given to the model alone. */
export function folderOf({ type, payload }: Line): string | undefined {
  if (type === 'session_meta' || type === 'turn_context') return textOf(payload['cwd']);
  if (type !== 'response_item' || payload['role'] !== 'user') return undefined;
  const text = contentText(payload['content']);
  if (!/^\s*<environment_context>/i.test(text)) return undefined;
  const [, tag, sentence] = workingFolder.exec(text) ?? [];
  return (tag ?? sentence)?.trim();
}

/** The session that started this one as a subagent; a fork or a resumed session has none. */
export function parentOf(meta: Fields): string | undefined {
  const subagent = fieldsOf(meta['source'])?.['subagent'];
  if (subagent === undefined) return undefined;
  const spawned = fieldsOf(fieldsOf(subagent)?.['thread_spawn']);
  return textOf(spawned?.['parent_thread_id']) ?? textOf(meta['parent_thread_id']);
}

/** The texts of a message's content, joined as the program joins them. */
export const contentText = (content: unknown, join = ''): string =>
  isString(content)
    ? content
    : objectsOf(content)
        .flatMap((part) => textOf(part['text']) ?? [])
        .join(join);
