import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordPlace } from '../agents/source.js';
import { packPlaces, placed } from './recordPlaces.js';

const record = (length: number): Uint8Array => new Uint8Array(length);
const placesIn = (records: readonly Uint8Array[], packed: ReturnType<typeof packPlaces>) =>
  [...placed(records, packed)].map(({ place }) => place);

suite('where records were in their file', () => {
  const file = fc.array(
    fc.record({ length: fc.nat(9), kept: fc.nat(9), blank: fc.nat(2), end: fc.constantFrom(1, 2) }),
    { minLength: 1, maxLength: 30 },
  );

  test('is known again for each, whatever stands between them, and whatever was masked', () => {
    fc.assert(
      fc.property(file, fc.nat(1000), (lines, begin) => {
        const records: Uint8Array[] = [];
        const places: RecordPlace[] = [];
        let [line, offset] = [1 + begin, begin * 10];
        for (const { length, kept, blank, end } of lines) {
          line += blank;
          offset += blank;
          records.push(record(kept));
          places.push({ line, offset });
          line += 1;
          offset += length + end;
        }
        assert.deepEqual(placesIn(records, packPlaces(records, places)), places);
      }),
    );
  });

  test('costs one entry where lines follow one another', () => {
    const records = [record(3), record(5), record(7)];
    const places = [0, 4, 10].map((offset, at) => ({ line: at + 1, offset }));
    assert.deepEqual(packPlaces(records, places), [[0, 1, 0]]);
  });

  test('is not guessed for a format without lines, nor for what an earlier version kept', () => {
    assert.equal(packPlaces([record(1)], undefined), undefined);
    assert.deepEqual(placesIn([record(1)], undefined), [undefined]);
  });
});
