import { recordsBefore } from './cutRecords.js';
import { decode } from './decode.js';
import { textOf, type Fields } from './json.js';
import { linesOf, withMember } from './jsonLines.js';
import type { ParserOptions, ThreadParser } from './source.js';
import type { NewSession, OwnRecords } from './target.js';

interface Chain {
  /** The member that names the session. */
  readonly session: string;
  readonly parser: (nativeId: string, options?: ParserOptions) => ThreadParser;
  /** The working folder that a record names; absent: its member `cwd`. */
  readonly folderIn?: (record: Fields) => string | undefined;
}

/**
 * Records that hang on each other, as another session: its id and, where it moves, its working folder are
 * other ones; everything else stays byte for byte. The agent goes on from the last record, so a cut at
 * the first record of a later turn goes on from the turn before, unless the conversation has branches: then
 * undefined, since what comes before in the file may be another branch's.
 */
export function rewriteChain(
  own: OwnRecords,
  { id, cwd }: NewSession,
  { session, parser, folderIn = ({ cwd: folder }) => textOf(folder) }: Chain,
): Uint8Array | undefined {
  const { records, nativeId, turns } = own;
  const fold = parser(nativeId);
  for (const record of records) fold.push(record);
  if (turns !== undefined && fold.thread().branches !== undefined) return undefined;
  const end =
    turns === undefined ? records.length : recordsBefore(records, turns, () => parser(nativeId));
  const folder = records
    .map((record) => folderIn(decode(record).fields ?? {}))
    .find((found) => found !== undefined);
  return linesOf(
    records
      .slice(0, end)
      .map((record) => withMember(record, session, nativeId, id))
      .map((record) =>
        folder === undefined || folder === cwd ? record : withMember(record, 'cwd', folder, cwd),
      ),
  );
}
