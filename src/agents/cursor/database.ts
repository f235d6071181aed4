import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { ListedThread, ReadResult } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { justFoundMs, numberIn, textIn, type Question, type Row } from '../sqlite/question.js';
import { KnownRows } from '../sqlite/knownRows.js';
import { databases } from '../sqlite/reader.js';
import { logSince, type LogRow } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import { pathOfUri } from '../vscode-chat/values.js';

/*
 * Cursor's global `state.vscdb`: a table of keys and values, `composerData:<id>` for a conversation and
 * `bubbleId:<conversation>:<id>` for each of its messages. Keys are looked up by their range, never by
 * LIKE: the table may hold gigabytes.
 */

const needs: Question['needs'] = { cursorDiskKV: ['key', 'value'] };
const table = 'cursorDiskKV';

/** Whether something of a conversation was written, told without reading what: a row that is replaced gets a new number. */
const marks = `
  SELECT substr(key, 14) AS id, rowid || ' ' || octet_length(value) || ' ' || (
    SELECT count(*) || ' ' || total(rowid) FROM cursorDiskKV AS bubble
    WHERE bubble.key >= 'bubbleId:' || substr(composer.key, 14) || ':'
      AND bubble.key < 'bubbleId:' || substr(composer.key, 14) || ';') AS mark
  FROM cursorDiskKV AS composer
  WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL`;

const members = [
  '$.name',
  '$.createdAt',
  '$.lastUpdatedAt',
  '$.conversation[0]',
  '$.workspaceIdentifier.uri.fsPath',
  '$.workspaceIdentifier.uri.path',
  '$.workspaceIdentifier.uri.external',
  '$.workspaceIdentifier.configPath.external',
  '$.subagentComposerIds',
  '$.subComposerIds',
];

/** Members of conversations, in order; a value is text or bytes, and may be no JSON at all. */
const facts = `
  SELECT substr(key, 14) AS id, octet_length(value) AS bytes,
    iif(json_valid(CAST(value AS TEXT)),
      json_extract(CAST(value AS TEXT), ${members.map((member) => `'${member}'`).join(', ')}), '[]') AS members,
    (SELECT sum(octet_length(bubble.value)) FROM cursorDiskKV AS bubble
     WHERE bubble.key >= 'bubbleId:' || substr(composer.key, 14) || ':'
       AND bubble.key < 'bubbleId:' || substr(composer.key, 14) || ';') AS bubbles
  FROM cursorDiskKV AS composer
  WHERE key IN (SELECT 'composerData:' || wanted.value FROM json_each(?) AS wanted)
    AND value IS NOT NULL`;

/** Conversations of global databases, each database asked again only once it has changed, and then about what changed. */
export function createList(): DatabaseList<ListedThread> {
  const known = new KnownRows<Composer>(({ thread }) => thread.modifiedAt);
  return new DatabaseList(async (path) => {
    const select = (sql: string, ...parameters: readonly string[]) =>
      databases.ask({
        path,
        needs,
        maxAgeMs: parameters.length > 0 ? justFoundMs : 0,
        selects: { found: { from: table, sql, parameters } },
      });
    const { rows, stamp } = await select(marks);
    const now = (rows['found'] ?? []).map(
      (row) => [textIn(row, 'id') ?? '', textIn(row, 'mark') ?? ''] as const,
    );
    const composers = await known.update(path, new Map(now), async (ids) => {
      const answer = await select(facts, JSON.stringify(ids));
      return (answer.rows['found'] ?? []).map((row) => composerOf(path, row));
    });
    return { items: listed(composers), stamp };
  });
}

interface Composer {
  readonly id: string;
  readonly thread: ListedThread;
  readonly subagents: readonly string[];
  /** A tab that was opened and never used has none. */
  readonly hasMessages: boolean;
}

function composerOf(path: string, row: Row): Composer {
  const id = textIn(row, 'id') ?? '';
  const found = parsed(row['members']);
  const values: readonly unknown[] = Array.isArray(found) ? found : [];
  const [name, created, updated, inline, fsPath, uriPath, uri, configuration, ...subs] = values;
  const folder =
    textOf(fsPath) ?? textOf(uriPath) ?? folderOf(textOf(uri) ?? textOf(configuration));
  const bubbles = numberIn(row, 'bubbles');
  const times = [updated, created].find((time) => typeof time === 'number');
  return {
    id,
    thread: {
      nativeId: id,
      path,
      bytes: (numberIn(row, 'bytes') ?? 0) + (bubbles ?? 0),
      modifiedAt: times ?? 0,
      folder,
      cwd: folder,
      title: textOf(name),
    },
    subagents: subs.flatMap((list) => (Array.isArray(list) ? list.filter(isString) : [])),
    hasMessages: bubbles !== undefined || isFields(inline),
  };
}

function listed(composers: readonly Composer[]): readonly ListedThread[] {
  const parents = new Map(
    composers.flatMap(({ id, subagents }) => subagents.map((sub) => [sub, id])),
  );
  return composers
    .filter(({ id, hasMessages }) => id !== '' && hasMessages)
    .map(({ id, thread }) => ({ ...thread, parent: parents.get(id) }));
}

const folderOf = (uri: string | undefined): string | undefined =>
  uri === undefined ? undefined : pathOfUri(uri);

/** What a conversation has gained since the cursor: the composer's members and the bubbles, each by itself. */
export async function readComposer(
  path: string,
  id: string,
  cursor: Cursor | undefined,
): Promise<ReadResult> {
  const { rows } = await databases.ask({
    path,
    needs,
    maxAgeMs: justFoundMs,
    selects: {
      composer: {
        from: table,
        sql: 'SELECT value FROM cursorDiskKV WHERE key = ?',
        parameters: [`composerData:${id}`],
      },
      bubbles: {
        from: table,
        sql: 'SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? AND value IS NOT NULL',
        parameters: [`bubbleId:${id}:`, `bubbleId:${id};`],
      },
    },
  });
  const composer = fieldsOf(parsed(rows['composer']?.[0]?.['value'])) ?? {};
  const { conversation, fullConversationHeadersOnly: headers, ...members } = composer;
  const bubbles = [
    ...inlineBubbles(conversation),
    ...storedBubbles(rows['bubbles'] ?? [], headers, `bubbleId:${id}:`.length),
  ];
  return logSince(path, { heads: membersOf(members), rows: bubbles }, cursor);
}

/** Long members, such as code blocks, change seldom, and must not be written again with those that do. */
const longMember = 4096;

function membersOf(members: Fields): readonly LogRow[] {
  const texts = Object.entries(members).map(
    ([key, value]) => [key, JSON.stringify(value)] as const,
  );
  const small = texts.filter(([, json]) => json.length < longMember);
  const long = texts.filter(([, json]) => json.length >= longMember);
  const record = (name: string, some: typeof texts): LogRow => {
    const value = `{${some.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
    return rowRecord('composer', name, { id: name, value });
  };
  return [record('*', small), ...long.map((member) => record(member[0], [member]))];
}

/** Before bubbles had rows of their own. */
const inlineBubbles = (conversation: unknown): readonly LogRow[] =>
  objectsOf(conversation).map((bubble, place) => {
    const id = textOf(bubble['bubbleId']) ?? `#${place}`;
    return rowRecord('bubble', id, { id, place, value: JSON.stringify(bubble) });
  });

/** In the conversation's order; what it does not name any more comes first, without a place. */
function storedBubbles(rows: readonly Row[], headers: unknown, prefix: number): readonly LogRow[] {
  const order = objectsOf(headers).map((header) => textOf(header['bubbleId']));
  const places = new Map(order.map((id, place) => [id, place]));
  const bubbles = rows.map((row) => {
    const id = (textIn(row, 'key') ?? '').slice(prefix);
    return { id, place: places.get(id) ?? null, value: row['value'] ?? null };
  });
  return bubbles
    .toSorted((one, other) => (one.place ?? -1) - (other.place ?? -1))
    .map((bubble) => rowRecord('bubble', bubble.id, bubble));
}

function parsed(value: unknown): unknown {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a workspace's own database says of conversations. */
export interface WorkspaceChats {
  /** Ids of those that are its. */
  readonly composers: readonly string[];
  /** How many the chat panel of versions before the composer left there. */
  readonly ofPanel: number;
}

const panelKey = 'workbench.panel.aichat.view.aichat.chatdata';

export const createWorkspaceList = (): DatabaseList<WorkspaceChats> =>
  new DatabaseList(async (path) => {
    const { rows, stamp } = await databases.ask({
      path,
      needs: { ItemTable: ['key', 'value'] },
      selects: {
        composers: {
          from: 'ItemTable',
          sql: "SELECT value FROM ItemTable WHERE key = 'composer.composerData'",
        },
        panel: {
          from: 'ItemTable',
          sql: 'SELECT value FROM ItemTable WHERE key = ?',
          parameters: [panelKey],
        },
      },
    });
    const data = parsed(rows['composers']?.[0]?.['value']);
    const all = isFields(data) ? objectsOf(data['allComposers']) : [];
    const ids = all.map(({ composerId }) => textOf(composerId)).filter((id) => id !== undefined);
    const panel = fieldsOf(parsed(rows['panel']?.[0]?.['value'])) ?? {};
    const used = objectsOf(panel['tabs']).filter(({ bubbles }) => objectsOf(bubbles).length > 0);
    return { items: [{ composers: ids, ofPanel: used.length }], stamp };
  });
