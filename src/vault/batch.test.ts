import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isExpected } from '../core/errors.js';
import type { BatchHeader } from '../core/model/records.js';
import { batchHead, decodeBatch, encodeBatch } from './batch.js';

const header = (count: number): BatchHeader => ({
  schemaVersion: 1,
  thread: 'claude-code:a',
  generation: 2,
  first: 7,
  count,
  reused: 3,
  cursor: { path: '/store/a.jsonl', offset: 10, generation: 2, records: 7, state: { tail: 'x' } },
});

const refuses = (title: string, payload: Uint8Array): void => {
  test(title, () =>
    assert.throws(
      () => decodeBatch(payload),
      (error) => isExpected(error, 'unreadable'),
    ),
  );
};

suite('a batch', () => {
  test('gives back the agent’s own bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (records) => {
        const batch = decodeBatch(encodeBatch(header(records.length), records));
        assert.deepEqual(batch.header, header(records.length));
        assert.deepEqual(
          batch.records.map((record) => Buffer.from(record)),
          records.map((record) => Buffer.from(record)),
        );
      }),
    );
  });

  test('gives back text of every kind, lone surrogates and NUL too', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({
            unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
          }),
        ),
        (values) => {
          const records = values.map((text) => Buffer.from(JSON.stringify({ text })));
          const back = decodeBatch(encodeBatch(header(records.length), records)).records;
          const decoded = back.map(
            (record) => JSON.parse(new TextDecoder().decode(record)) as unknown,
          );
          assert.deepEqual(
            decoded,
            values.map((text) => ({ text })),
          );
        },
      ),
    );
  });

  test('shows its head without its records', () => {
    const payload = encodeBatch(header(1), [Buffer.alloc(1000)]);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(batchHead(payload))), header(1));
  });

  test('cut anywhere is refused, never passed off as shorter', () => {
    const payload = encodeBatch(
      header(3),
      ['one', 'two', 'three'].map((text) => Buffer.from(text)),
    );
    for (let length = 0; length < payload.length; length++) {
      assert.throws(
        () => decodeBatch(payload.subarray(0, length)),
        (error) => isExpected(error, 'unreadable'),
        `${length} bytes`,
      );
    }
  });

  refuses('of zeros is refused', Buffer.alloc(64));
  refuses('whose head is no JSON is refused', Buffer.from('\x03\0\0\0abc'));
  refuses(
    'of a newer version is refused',
    encodeBatch({ ...header(0), schemaVersion: 2 as 1 }, []),
  );
  refuses('with a length behind its end is refused', Buffer.from('\xff\xff\xff\xffabc', 'latin1'));
});
