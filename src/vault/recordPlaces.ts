import type { RecordPlace } from '../agents/source.js';
import type { BatchHeader } from '../core/model/records.js';

/** A record of the vault, and where the agent's file has it, where that was kept. */
export interface PlacedRecord {
  readonly record: Uint8Array;
  readonly place?: RecordPlace | undefined;
}

/**
 * Where the records of a batch lie, in few words: [number in the batch, line, byte offset] of the first
 * one, and of each that does not begin one byte behind the one before, on the next line. That is so
 * behind blank lines, ends of two bytes, and records in which something was masked.
 *
 * @param records as they are kept
 */
export function packPlaces(
  records: readonly Uint8Array[],
  places: readonly RecordPlace[] | undefined,
): BatchHeader['places'] {
  if (places?.length !== records.length || records.length === 0) return undefined;
  const packed: [number, number, number][] = [];
  let expected: RecordPlace | undefined;
  for (const [at, record] of records.entries()) {
    const { line = 0, offset = 0 } = places[at] ?? {};
    const place = { line, offset };
    if (expected?.line !== line || expected.offset !== offset) packed.push([at, line, offset]);
    expected = placeBehind(place, record);
  }
  return packed;
}

/** The reverse of {@link packPlaces}. */
export function* placed(
  records: readonly Uint8Array[],
  packed: BatchHeader['places'],
): Generator<PlacedRecord, void, undefined> {
  const given = new Map((packed ?? []).map(([at, line, offset]) => [at, { line, offset }]));
  let place: RecordPlace | undefined;
  for (const [at, record] of records.entries()) {
    place = given.get(at) ?? place;
    yield { record, place };
    place = place && placeBehind(place, record);
  }
}

const placeBehind = ({ line, offset }: RecordPlace, record: Uint8Array): RecordPlace => ({
  line: line + 1,
  offset: offset + record.length + 1,
});
