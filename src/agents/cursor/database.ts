import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { ListedThread, ReadResult } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { justFoundMs, numberIn, textIn, type Question, type Row } from '../sqlite/question.js';
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

/** Members of a conversation as columns; a value is text or bytes, and may be no JSON at all. */
const composers = `
  WITH composer AS (
    SELECT substr(key, 14) AS id, octet_length(value) AS bytes,
      iif(json_valid(CAST(value AS TEXT)), CAST(value AS TEXT), '{}') AS json
    FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL)
  SELECT id, bytes,
    json ->> '$.name' AS name,
    json ->> '$.createdAt' AS created,
    json ->> '$.lastUpdatedAt' AS updated,
    coalesce(json_array_length(json, '$.conversation'), 0) AS inline,
    coalesce(json ->> '$.workspaceIdentifier.uri.fsPath', json ->> '$.workspaceIdentifier.uri.path') AS path,
    coalesce(json ->> '$.workspaceIdentifier.uri.external', json ->> '$.workspaceIdentifier.configPath.external') AS uri,
    json -> '$.subagentComposerIds' AS subagents, json -> '$.subComposerIds' AS subs
  FROM composer`;

const bubbleSizes = `
  SELECT substr(key, 10, instr(substr(key, 10), ':') - 1) AS id, count(*) AS count, sum(octet_length(value)) AS bytes
  FROM cursorDiskKV WHERE key >= 'bubbleId:' AND key < 'bubbleId;' AND value IS NOT NULL GROUP BY 1`;

/** Conversations of global databases, each database asked again only once it has changed. */
export const createList = (): DatabaseList<ListedThread> =>
  new DatabaseList(async (path) => {
    const { rows, stamp } = await databases.ask({
      path,
      needs,
      selects: {
        composers: { from: table, sql: composers },
        bubbles: { from: table, sql: bubbleSizes },
      },
    });
    return { items: listed(path, rows['composers'] ?? [], rows['bubbles'] ?? []), stamp };
  });

function listed(path: string, found: readonly Row[], bubbles: readonly Row[]) {
  const sizes = new Map(bubbles.map((row) => [textIn(row, 'id'), row]));
  const parents = new Map(
    found.flatMap((row) => subsOf(row).map((sub) => [sub, textIn(row, 'id')])),
  );
  return found.flatMap((row): readonly ListedThread[] => {
    const nativeId = textIn(row, 'id');
    const own = sizes.get(nativeId);
    // A tab that was opened and never used.
    if (nativeId === undefined || (own === undefined && numberIn(row, 'inline') === 0)) return [];
    const folder = textIn(row, 'path') ?? folderOf(textIn(row, 'uri'));
    return [
      {
        nativeId,
        path,
        bytes: (numberIn(row, 'bytes') ?? 0) + (numberIn(own, 'bytes') ?? 0),
        modifiedAt: numberIn(row, 'updated') ?? numberIn(row, 'created') ?? 0,
        parent: parents.get(nativeId),
        folder,
        cwd: folder,
        title: textIn(row, 'name'),
      },
    ];
  });
}

const subsOf = (row: Row): readonly string[] =>
  [parsed(row['subagents']), parsed(row['subs'])]
    .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .filter(isString);

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

/** Ids of the conversations that a workspace's own database lists. */
export const createWorkspaceList = (): DatabaseList<string> =>
  new DatabaseList(async (path) => {
    const { rows, stamp } = await databases.ask({
      path,
      needs: { ItemTable: ['key', 'value'] },
      selects: {
        composers: {
          from: 'ItemTable',
          sql: "SELECT value FROM ItemTable WHERE key = 'composer.composerData'",
        },
      },
    });
    const data = parsed(rows['composers']?.[0]?.['value']);
    const all = isFields(data) ? objectsOf(data['allComposers']) : [];
    const ids = all.map(({ composerId }) => textOf(composerId)).filter((id) => id !== undefined);
    return { items: ids, stamp };
  });
