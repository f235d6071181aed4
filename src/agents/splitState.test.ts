import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitState } from './splitState.js';

const split = (text: string): readonly string[] =>
  splitState(Buffer.from(text), 'requests').map((record) => Buffer.from(record).toString('utf8'));

suite('splitState', () => {
  const splits = (title: string, text: string, ...expected: string[]) =>
    test(title, () => assert.deepEqual(split(text), expected));

  splits(
    'every request is a record of its own bytes, the rest comes last',
    '{"version":3,"requests":[{"a": 1} , {"b":"]}"}],"title":"x"}',
    '{"a": 1}',
    '{"b":"]}"}',
    '{"version":3,"title":"x"}',
  );
  splits(
    'a chat without requests is its other members',
    '{"version":3,"requests":[]}',
    '{"version":3}',
  );
  splits('requests alone are kept', '{"requests":[1,"a",null]}', '1', '"a"', 'null', '{}');
  splits(
    'an exported chat over many lines becomes lines',
    '{\n "requests": [\n  {\n   "a": "x\\ny"\n  }\n ]\r\n}\n',
    '{    "a": "x\\ny"   }',
    '{}',
  );
  splits(
    'quotes and backslashes in texts end nothing',
    '{"requests":[{"a":"\\\\"},{"b":"\\"]"}]}',
    '{"a":"\\\\"}',
    '{"b":"\\"]"}',
    '{}',
  );
  splits('a byte order mark is passed over', '\ufeff{"a":1}', '{"a":1}');
  splits(
    'requests of an inner object stay inside',
    '{"x":{"requests":[1]}}',
    '{"x":{"requests":[1]}}',
  );
  splits(
    'a file cut inside a request keeps those before it',
    '{"v":3,"requests":[{"a":1},{"b":',
    '{"a":1}',
    '{"b":',
    '{"v":3}',
  );
  splits(
    'a file cut in a later member keeps the requests',
    '{"requests":[{"a":1}],"title":"x',
    '{"a":1}',
    '"title":"x',
    '{}',
  );
  splits('bytes behind the end are kept apart', '{"a":1} tail', 'tail', '{"a":1}');
  test('a file that is nothing but a list is its items, and what is cut off is told', () => {
    const splitList = (text: string): readonly string[] =>
      splitState(Buffer.from(text), 'messages', true).map((record) =>
        Buffer.from(record).toString(),
      );
    assert.deepEqual(splitList('\ufeff [{"a":[1]}, {"b":2}]\n'), ['{"a":[1]}', '{"b":2}']);
    assert.deepEqual(splitList('[]'), []);
    assert.deepEqual(splitList('[{"a":1},{"b"'), ['{"a":1}', '{"b"']);
    assert.deepEqual(splitList('[{"a":1},'), ['{"a":1}', ',']);
    assert.deepEqual(splitList('[{"a":1}]x'), ['{"a":1}', 'x']);
    assert.deepEqual(splitList('{"messages":[{"a":1}],"v":1}'), ['{"a":1}', '{"v":1}']);
  });

  splits('what is no object is kept as it is', '[1]', '[1]');
  splits('an empty file has no records', '');
  splits('a chat of nothing is a chat', '{"requests":[]}', '{}');
  splits('a file cut between two requests is known to be cut', '{"requests":[1, ', '1', ', ', '{}');

  test('NUL bytes are one record', () => {
    assert.equal(splitState(Buffer.alloc(512), 'requests').length, 1);
  });

  test('whole states come apart without loss, however they are written', () => {
    const name = fc.string().filter((key) => key !== 'requests' && key !== '__proto__');
    const state = fc.record({
      requests: fc.array(fc.jsonValue()),
      rest: fc.dictionary(name, fc.jsonValue()),
    });
    fc.assert(
      fc.property(state, fc.constantFrom(undefined, 1), ({ requests, rest }, indent) => {
        const records = split(JSON.stringify({ ...rest, requests }, undefined, indent)).map(
          (text): unknown => JSON.parse(text),
        );
        assert.deepEqual(
          records,
          [...requests, rest].map((value): unknown => JSON.parse(JSON.stringify(value))),
        );
      }),
    );
  });

  test('a file cut anywhere gives every request before the cut', () => {
    const requests = [{ a: 'x"]' }, { b: [1, { c: '\\' }] }, { d: 'ü😀' }];
    const whole = Buffer.from(JSON.stringify({ v: 3, requests, title: 't' }));
    for (let end = 0; end <= whole.length; end++) {
      const records = splitState(whole.subarray(0, end), 'requests').map((record) =>
        Buffer.from(record).toString('utf8'),
      );
      const complete = requests.filter((request) => {
        const text = JSON.stringify(request);
        const at = whole.indexOf(text) + Buffer.byteLength(text);
        return at <= end;
      });
      assert.deepEqual(
        records.slice(0, complete.length),
        complete.map((request) => JSON.stringify(request)),
      );
    }
  });
});
