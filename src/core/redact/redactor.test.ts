import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { hostile, hostilePieces } from './corpus/adversarial.js';
import { KnownValues } from './knownValues.js';
import { Redactor, WITHHELD, type RedactorOptions } from './redactor.js';
import { valuesOf, valuesOfVariables } from './secretFiles.js';

const share = (options: Partial<RedactorOptions> = {}): Redactor =>
  new Redactor({ lane: 'share', ...options });
const masked = (text: string, options: Partial<RedactorOptions> = {}): string =>
  share(options).text(text).text;

// Put together here, so that no scanner takes this file for a leak.
const body = 'q7Rk2Xw9Lm4Tz8Vb3Nc6Hd1Jf5Gs0Pya';
const token = `ghp_${body}AbCd`;

suite('the same secret has the same number all through', () => {
  test('in one text, over texts, in values and records', () => {
    const redactor = share();
    assert.equal(
      redactor.text(`${token} ${token} npm_${body}AbCd`).text,
      '[REDACTED:github-token#1] [REDACTED:github-token#1] [REDACTED:npm-token#2]',
    );
    assert.equal(redactor.text(`again ${token}`).text, 'again [REDACTED:github-token#1]');
    const { value } = redactor.value({ said: [token] });
    assert.deepEqual(value, { said: ['[REDACTED:github-token#1]'] });
  });
});

suite('findings point at the secret in the text that was given', () => {
  const found = (title: string, text: string, secrets: readonly string[]): void => {
    test(title, () => {
      const { findings } = share().text(text);
      assert.deepEqual(
        findings.map(({ start, end }) => text.slice(start, end)),
        secrets,
      );
    });
  };
  found('behind characters of two units', `👩‍💻 é ${token}!`, [token]);
  found('behind an escape', `{"a":"x\\n${token}\\t"}`, [token]);
  found('with an escape in it', '{"password":"p\\u0040ss-W0rd!"}', ['p\\u0040ss-W0rd!']);
  found('in JSON in JSON', JSON.stringify({ a: JSON.stringify({ token: body }) }), [body]);
  found(
    'in an attribute of XML',
    '<a b="{&quot;token&quot;:&quot;x7&quot;}" password="Xk9!mmQ2"/>',
    ['Xk9!mmQ2'],
  );
  found(
    'among the colours of a terminal',
    '\u001b[32mDB_PASSWORD\u001b[0m=\u001b[33mXk9!mmQ2\u001b[0m ok',
    ['Xk9!mmQ2'],
  );
  found(
    'in colours inside JSON',
    JSON.stringify({ out: '\u001b[1mapi_key\u001b[0m: \u001b[36mq7Rk2Xw9Lm4Tz8Vb\u001b[0m' }),
    ['q7Rk2Xw9Lm4Tz8Vb'],
  );
  found('behind a line that goes on', `export TOKEN=\\\n${body}`, [body]);
  found('on the line below its name', `The API key:\n\n${body}\n`, [body]);
  found('in a list below its name', 'passwords:\n  - Xk9!mmQ2\n  - "tr0ub4dor&3"\n', [
    'Xk9!mmQ2',
    'tr0ub4dor&3',
  ]);
  found('in a column of a table', ' id | db_password \n----+------\n  1 | Xk9!mmQ2\n', [
    'Xk9!mmQ2',
  ]);
  found(
    'in a column of SQL',
    "INSERT INTO u (id, api_password) VALUES (1, 'Xk9!mmQ2'), (2, 'tr0ub4dor&3');",
    ['Xk9!mmQ2', 'tr0ub4dor&3'],
  );
  found('a number in JSON', '{"password": 48291073, "port": 54321}', ['48291073']);
  found('in base64', `x ${btoa(`DB_PASSWORD=${body}`)} y`, [btoa(`DB_PASSWORD=${body}`)]);
  found(
    'a key of many lines',
    `a\n-----BEGIN EC PRIVATE KEY-----\n${body}\n-----END EC PRIVATE KEY-----\nb`,
    [`-----BEGIN EC PRIVATE KEY-----\n${body}\n-----END EC PRIVATE KEY-----`],
  );
  found('a key that was cut', `a\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}`, [
    `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}`,
  ]);
});

suite('values keep their shape, and names say what they hold', () => {
  const becomes = (title: string, before: unknown, after: unknown): void => {
    test(title, () => assert.deepEqual(share().value(before).value, after));
  };
  becomes(
    'a secret by its key',
    { db: { password: 'Xk9!mmQ2' } },
    {
      db: { password: '[REDACTED:password#1]' },
    },
  );
  becomes(
    'a secret by the name beside it',
    [{ name: 'DB_PASSWORD', value: 'Xk9!mmQ2' }],
    [{ name: 'DB_PASSWORD', value: '[REDACTED:password#1]' }],
  );
  becomes(
    'everything in a Kubernetes Secret',
    { kind: 'Secret', data: { a: 'c2VjcmV0LXZhbHVlLTE=' } },
    {
      kind: 'Secret',
      data: { a: '[REDACTED:secret#1]' },
    },
  );
  becomes('a secret that is a key', { [token]: 1 }, { '[REDACTED:github-token#1]': 1 });
  const sealed = {
    thinking: 'hm',
    signature: `${body}${body}${body}`,
    reasoning: { encrypted_content: token },
    block: { type: 'redacted_thinking', data: token },
  };
  becomes('signed and encrypted blobs', sealed, sealed);
  test('unless they are to be left out', () => {
    const redactor = share({ dropSealed: true });
    assert.deepEqual(redactor.value(sealed).value, {
      thinking: 'hm',
      reasoning: {},
      block: { type: 'redacted_thinking' },
    });
    assert.equal(redactor.report.dropped, 3);
  });

  test('findings say where', () => {
    const { findings } = share().value({ a: [{ b: `x ${token}` }] });
    assert.deepEqual(findings, [
      { path: ['a', 0, 'b'], kind: 'github-token', start: 2, end: 2 + token.length },
    ]);
  });

  test('what holds no secret is the very same value', () => {
    const value = { a: ['b', { c: null, d: 1 }], __proto__: null };
    assert.equal(share().value(value).value, value);
  });
});

suite('known values are masked wherever they stand', () => {
  const value = 'blue whale/42';
  const known = new KnownValues([value]);
  const hides = (title: string, text: string): void => {
    test(title, () =>
      assert.match(masked(text, { knownValues: known }), /^<\[REDACTED:[^\]]+\]>$/),
    );
  };
  hides('as they are', `<${value}>`);
  hides('in a URL', `<${encodeURIComponent(value)}>`);
  hides('in a form', '<blue+whale%2F42>');
  for (const before of ['', 'a', 'ab']) {
    test(`in base64 behind ${before.length} bytes`, () => {
      const text = btoa(`${before}${value}zz`);
      const { findings } = share({ knownValues: known }).text(text);
      assert.equal(findings.length, 1);
    });
  }
  test('inside JSON, with its escapes', () => {
    const quoted = 'say "hi" \\ 42';
    const text = JSON.stringify({ note: quoted });
    assert.ok(!masked(text, { knownValues: new KnownValues([quoted]) }).includes('hi'));
  });
  test('not when they are short or all the same: they would be everywhere', () => {
    const text = 'abc1234 aaaaaaaaaa';
    assert.equal(masked(text, { knownValues: new KnownValues(['abc1234', 'aaaaaaaaaa']) }), text);
  });
  test('only hashes of them are kept', () => {
    assert.ok(!inspect(known, { depth: 9, maxArrayLength: 1e6 }).includes('whale'));
  });
  test('of any length and alphabet', () => {
    const secret = fc.string({ minLength: 12, maxLength: 80, unit: 'binary' });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (given, before, after) => {
        fc.pre(new Set(given).size >= 8);
        const { findings } = share({ knownValues: new KnownValues([given]) }).text(
          before + given + after,
        );
        const covers = findings.some(
          ({ start, end }) => start <= before.length && end >= before.length + given.length,
        );
        assert.ok(covers);
      }),
    );
  });
});

suite('files and variables that hold secrets', () => {
  const holds = (title: string, file: string, values: readonly string[]): void => {
    test(title, () => {
      for (const value of values) assert.ok(valuesOf(file).includes(value), value);
    });
  };
  holds('.env', `A=plain-but-private-1\nexport B="two words 22" # note\nC='quoted-33333'`, [
    'plain-but-private-1',
    'two words 22',
    'quoted-33333',
  ]);
  holds('.npmrc', `//registry.example.com/:_authToken=${body}`, [body]);
  holds('.netrc', 'machine h\n  login bob\n  password Xk9!mmQ2', ['Xk9!mmQ2']);
  holds('credentials of a cloud', `[default]\naws_secret_access_key = ${body}abcdefgh`, [
    `${body}abcdefgh`,
  ]);
  holds('JSON', JSON.stringify({ auths: { h: { password: 'Xk9!mmQ2' } } }), ['Xk9!mmQ2']);
  holds('a password inside a URL', 'DATABASE_URL=postgres://app:Xk9-mmQ2zz@db/app', ['Xk9-mmQ2zz']);

  test('what cannot be a secret is not masked everywhere', () => {
    const file = 'NODE_ENV=production\nPORT=12345678\nURL=https://example.com/a\nX=${SECRET_REF}';
    assert.deepEqual(valuesOf(file), []);
  });

  test('variables by their names', () => {
    const variables = {
      GH_TOKEN: 'some-value-1',
      HOME: '/home/bob/x',
      PWD: '/home/bob/x',
      EMPTY_TOKEN: undefined,
    };
    assert.deepEqual(valuesOfVariables(variables), ['some-value-1']);
  });
});

suite("the user's own rules and exceptions", () => {
  test('a rule of their own', () => {
    const custom = [{ kind: 'ticket', pattern: /TICKET-(\d{4})/g }];
    assert.equal(masked('see TICKET-1234', { custom }), 'see TICKET-[REDACTED:ticket#1]');
  });
  test('a value that may be seen', () => {
    assert.equal(masked(`${token} ${token}x`, { allow: [token] }).slice(0, token.length), token);
  });
});

suite('nothing leaves that was not looked at', () => {
  const late = (): (() => number) => {
    let time = 0;
    return () => (time += 1500);
  };
  const long = `${'word '.repeat(20_000)}${token}`;

  test('a text that takes too long is left out whole', () => {
    assert.deepEqual(share({ now: late() }).text(long), {
      text: WITHHELD,
      findings: [],
      homes: [],
      withheld: true,
    });
  });
  test('a fault is no way out', () => {
    const broken = { kind: 'x', pattern: /no flag g/ };
    const { text, withheld } = share({ custom: [broken] }).text(token);
    assert.deepEqual([text, withheld], [WITHHELD, true]);
  });
  test('of a value only what could not be looked at, and the result says so', () => {
    const { value, withheld } = share({ now: late() }).value({ short: 'hello', long });
    assert.deepEqual(value, { short: 'hello', long: WITHHELD });
    assert.equal(withheld, true);
  });
});

suite('hostile text', () => {
  /** How often patterns are tried: each try is bounded, so this is what can grow. */
  const tries = (text: string): number => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own `this`
    const original = RegExp.prototype.exec;
    let count = 0;
    RegExp.prototype.exec = function (given) {
      count += 1;
      return original.call(this, given);
    };
    try {
      share().text(text);
    } finally {
      RegExp.prototype.exec = original;
    }
    return count;
  };
  const LENGTH = 20_000;
  for (const piece of hostilePieces) {
    test(`${JSON.stringify(piece)}: twice the text is twice the work, not more`, () => {
      const once = tries(hostile(piece, LENGTH));
      const twice = tries(hostile(piece, 2 * LENGTH));
      assert.ok(twice <= 2.2 * once + 200, `${once} then ${twice}`);
      assert.ok(once <= 10 * LENGTH, `${once} tries`);
    });
  }
});

suite('any text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.constantFrom(...hostilePieces, token, body, ' ', '"', '\\'), { maxLength: 30 })
      .map((pieces) => pieces.join('')),
  );

  test('keeps everything outside of the findings, which are in order and apart', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // A number in JSON gets quotation marks.
        fc.pre(!/["']\s*:\s*\d/.test(text));
        const { text: result, findings, withheld } = share({ label: () => '' }).text(text);
        assert.equal(withheld, false);
        let rest = '';
        let from = 0;
        for (const { start, end } of findings) {
          assert.ok(start >= from && end > start && end <= text.length);
          rest += text.slice(from, start);
          from = end;
        }
        assert.equal(result, rest + text.slice(from));
      }),
    );
  });

  test('is not masked again when it has been masked', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = masked(text);
        assert.equal(
          share()
            .text(once)
            .findings.filter(({ start, end }) => once.slice(start, end).includes('[REDACTED'))
            .length,
          0,
        );
      }),
    );
  });
});
