import { decode } from './decode.js';

/**
 * Records that were cut out of the JSON of a whole conversation (`splitState`), as that JSON again: the items of the
 * member `list`, then the object of all other members, each its own bytes. Undefined where they are not that.
 */
export function joinState(
  records: readonly Uint8Array[],
  list: string,
): { readonly bytes: Uint8Array; readonly members: Readonly<Record<string, unknown>> } | undefined {
  const rest = records.at(-1);
  const members = rest && decode(rest).fields;
  if (rest === undefined || members === undefined || list in members) return undefined;
  const items = records.slice(0, -1);
  const comma = Buffer.from(',\n');
  const end = Buffer.from(rest).lastIndexOf('}');
  const hasMembers = Object.keys(members).length > 0;
  const bytes = Buffer.concat([
    rest.subarray(0, end),
    Buffer.from(`${hasMembers ? ',' : ''}\n${JSON.stringify(list)}:[\n`),
    ...items.flatMap((item, at) => (at === 0 ? [item] : [comma, item])),
    Buffer.from('\n]}\n'),
  ]);
  return isJson(bytes) ? { bytes, members } : undefined;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
