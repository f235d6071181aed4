import { decode } from '../decode.js';
import { textOf, type Fields } from '../json.js';
import { readRowRecord, RowFold } from '../sqlite/rowRecord.js';
import type { NewSession, OwnRecords } from '../target.js';
import { openCodeId } from './ids.js';
import { openCodeParser } from './parse.js';
import { byId, messageOf, partOf, partsByMessage, sessionOf } from './rows.js';
import type { Message, MessagePart } from './rows.js';

/**
 * A session's own rows as the file that the program's `import` takes: what each message and part holds stays as it is,
 * thinking with the vendor's marks included. In a session of another id the rows get other ids, since the old ones may
 * still be there. Undefined for what was undone and waits, for a cut within a message, and for records that are no rows.
 */
export function rewriteRows(
  { records, nativeId, turns }: OwnRecords,
  place: NewSession,
): object | undefined {
  const parser = openCodeParser('', nativeId);
  const messages = new RowFold<Message>();
  const parts = new RowFold<MessagePart>();
  let session: Fields | undefined;
  for (const record of records) {
    const said = readRowRecord(decode(record).fields ?? {});
    if (said === undefined) return undefined;
    parser.push(record);
    if ('present' in said) {
      messages.keepOnly(said.present);
      parts.keepOnly(said.present);
      continue;
    }
    const { table, row } = said;
    if (table === 'session') session = row;
    const message = table === 'message' ? messageOf(row) : undefined;
    const part = table === 'part' ? partOf(row) : undefined;
    if (message !== undefined) messages.put(table, row, message);
    if (part !== undefined) parts.put(table, row, part);
    // Newer versions keep some things in a table that `import` does not know.
    if (table === 'session_message') return undefined;
  }
  const isUndone = session !== undefined && sessionOf(session).revert !== undefined;
  if (session === undefined || isUndone) return undefined;
  const next = turns === undefined ? undefined : parser.thread().turns[turns]?.id;
  const all = messages.present().toSorted(byId);
  const end = next === undefined ? all.length : all.findIndex(({ id }) => id === next);
  if (end < 0) return undefined;
  const ids = new Ids(nativeId === place.id, place);
  const held = partsByMessage(parts.present());
  return {
    info: infoOf(session, place),
    messages: all
      .slice(0, end)
      .map((message) => wholeOf(message, held.get(message.id) ?? [], ids, place.id)),
  };
}

/** Ids of rows in the new session, in the order in which they are asked for. */
class Ids {
  private readonly given = new Map<string, string>();

  constructor(
    private readonly areKept: boolean,
    private readonly place: NewSession,
  ) {}

  of(id: string): string {
    if (this.areKept) return id;
    const before = this.given.get(id);
    if (before !== undefined) return before;
    const { now, uuid } = this.place;
    const word = id.startsWith('prt') ? 'prt' : 'msg';
    const own = openCodeId(word, now, this.given.size + 1, uuid());
    this.given.set(id, own);
    return own;
  }
}

function wholeOf(
  { id, data }: Message,
  parts: readonly MessagePart[],
  ids: Ids,
  sessionID: string,
): object {
  const messageID = ids.of(id);
  const parent = textOf(data['parentID']);
  return {
    info: {
      ...data,
      ...(parent !== undefined && { parentID: ids.of(parent) }),
      id: messageID,
      sessionID,
    },
    parts: parts.map((part) => ({ ...part.data, id: ids.of(part.id), sessionID, messageID })),
  };
}

function infoOf(session: Fields, { id, cwd, now }: NewSession): object {
  const { title, version } = sessionOf(session);
  const created = session['time_created'];
  return {
    id,
    slug: textOf(session['slug']) ?? id.slice(-12).toLowerCase(),
    projectID: 'global',
    directory: cwd,
    title: textOf(session['title']) ?? title ?? 'Continued conversation',
    version: version ?? '',
    time: { created: typeof created === 'number' ? created : now, updated: now },
  };
}
