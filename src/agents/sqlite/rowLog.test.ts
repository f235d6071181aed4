import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, type Fields } from '../json.js';
import { logSince, type Conversation } from './rowLog.js';
import { readRowRecord, RowFold, rowRecord } from './rowRecord.js';

const rowsOf = (texts: Readonly<Record<string, string>>): Conversation => ({
  heads: [],
  rows: Object.entries(texts).map(([id, text]) => rowRecord('t', id, { id, text })),
});
const numbered = (count: number, changed: Readonly<Record<number, string>> = {}): Conversation =>
  rowsOf(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`r${at}`, changed[at] ?? `text ${at}`]),
    ),
  );

/** Reads one state after another into one log. */
class Follower {
  private cursor: Cursor | undefined;
  private readonly fold = new RowFold<Fields>();

  /** Returns how many records the step cost. */
  see(conversation: Conversation): number {
    const { records, cursor, restarted } = logSince('x.db', conversation, this.cursor);
    assert.equal(restarted, undefined);
    assert.equal(cursor.records, (this.cursor?.records ?? 0) + records.length);
    // The cursor travels with every batch.
    this.cursor = JSON.parse(JSON.stringify(cursor)) as Cursor;
    assert.ok(JSON.stringify(cursor).length < 3000);
    for (const record of records) {
      const said = readRowRecord(fieldsOf(JSON.parse(Buffer.from(record).toString())) ?? {});
      assert.ok(said);
      if ('present' in said) this.fold.keepOnly(said.present);
      else this.fold.put(said.table, said.row, said.row);
    }
    return records.length;
  }

  get texts(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.fold.present().map(({ id, text }) => [String(id), text]));
  }
}

suite('row log', () => {
  test('whatever happens to rows, the log ends with the rows that there are', () => {
    const state = fc.dictionary(fc.stringMatching(/^[a-h]{1,2}$/), fc.string({ maxLength: 3 }), {
      maxKeys: 40,
    });
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 6 }), (states) => {
        const follower = new Follower();
        for (const texts of states) {
          follower.see(rowsOf(texts));
          assert.deepEqual({ ...follower.texts }, { ...texts });
          assert.equal(follower.see(rowsOf(texts)), 0);
        }
      }),
    );
  });

  const costs = (title: string, before: Conversation, after: Conversation, most: number) =>
    test(title, () => {
      const follower = new Follower();
      follower.see(before);
      const cost = follower.see(after);
      assert.ok(cost > 0 && cost <= most, `${cost} records`);
    });
  costs('a new row costs one record', numbered(1000), numbered(1001), 1);
  costs(
    'an answer that streams costs its row each time',
    numbered(1000),
    numbered(1000, { 999: 'more' }),
    1,
  );
  costs('a row some way back costs a few', numbered(1000), numbered(1000, { 950: 'summary' }), 3);
  costs(
    'a row near the start of a long conversation costs a part of it',
    numbered(1000),
    numbered(1000, { 5: 'compacted' }),
    60,
  );

  test('rows that change often cost their own record only', () => {
    const follower = new Follower();
    const head = (title: string) => rowRecord('session', 's', { id: 's', title });
    const { rows } = numbered(100);
    assert.equal(follower.see({ heads: [head('a')], rows }), 101);
    assert.equal(follower.see({ heads: [head('a')], rows }), 0);
    assert.equal(follower.see({ heads: [head('b')], rows }), 1);
  });

  test('a record keeps the agent’s own JSON, byte by byte', () => {
    const keeps = (value: string | Uint8Array, expected: string) =>
      assert.equal(
        rowRecord('t', 'i', { id: 'i', data: value }).record,
        `{"table":"t","row":{"id":"i","data":${expected}}}`,
      );
    keeps('{ "a":1.0, "b": "\\ud800" }', '{ "a":1.0, "b": "\\ud800" }');
    keeps(Buffer.from('{"a":"é"}'), '{"a":"é"}');
    keeps('{"cut', '"{\\"cut"');
    keeps('[1]', '"[1]"');
    keeps('words', '"words"');
    keeps(Uint8Array.of(0xff), '{"base64":"/w=="}');
  });
});
