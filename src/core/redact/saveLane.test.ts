import assert from 'node:assert/strict';
import { Redactor } from './redactor.js';

/** As the vault's texts are masked. */
const saving = new Redactor({ lane: 'save', label: (kind) => `[REDACTED:${kind}]` });
const redactText = (text: string): string => saving.text(text).text;
const redactRecord = (record: Uint8Array): Uint8Array => saving.record(record).record;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const redacted = (text: string): string => new TextDecoder().decode(redactRecord(bytes(text)));

// Put together here, so that no scanner takes this file for a leak.
const body = (length: number): string => 'aB3dE5gH7jK9'.repeat(30).slice(0, length);
const hex = (length: number): string => '0a1b2c3d4e5f'.repeat(10).slice(0, length);

suite('secrets of known shapes', () => {
  const secrets: readonly (readonly [string, string])[] = [
    ['aws-access-key-id', `AKIAQWERTYUIOPASDFGH`],
    ['github-token', `ghp_${body(36)}`],
    ['github-token', `github_pat_${body(60)}`],
    ['gitlab-token', `glpat-${body(20)}`],
    ['anthropic-key', `sk-ant-api03-${body(90)}`],
    ['openai-key', `sk-proj-${body(80)}`],
    ['stripe-key', `sk_live_${body(24)}`],
    ['google-api-key', `AIza${body(35)}`],
    ['slack-token', `xoxb-1234567890-1234567890-${body(24)}`],
    ['npm-token', `npm_${body(36)}`],
    ['huggingface-token', `hf_${body(34)}`],
    ['digitalocean-token', `dop_v1_${hex(64)}`],
    ['jwt', `eyJ${body(20)}.eyJ${body(40)}.${body(43)}`],
    ['private-key', `-----BEGIN RSA PRIVATE KEY-----\n${body(64)}\n-----END RSA PRIVATE KEY-----`],
    ['url-password', 'hunter2secret'],
  ];
  for (const [kind, secret] of secrets) {
    const text = kind === 'url-password' ? `postgres://app:${secret}@db.example/app` : secret;
    test(`${kind} is masked in a prompt, behind an escape, in nested JSON and as a key`, () => {
      const inner = JSON.stringify({ env: text });
      const record = JSON.stringify({ a: `see ${text}`, b: `x\n${text}\ty`, c: inner, [text]: 1 });
      const result = redacted(record);
      assert.ok(!result.includes(JSON.stringify(secret).slice(1, -1)), result);
      assert.equal(result.split(`[REDACTED:${kind}]`).length, 5);
      assert.doesNotThrow(() => JSON.parse(result) as unknown);
    });
  }

  test('a secret in a line that is not JSON is masked too', () => {
    assert.equal(redacted(`{"cut": "ghp_${body(36)}`), '{"cut": "[REDACTED:github-token]');
  });
});

suite('what is no secret keeps its bytes', () => {
  for (const text of [
    hex(40),
    'toolu_01A2b3C4d5E6f7G8h9J0k1L2',
    'msg_01A2b3C4d5E6f7G8h9J0k1L2',
    'sk-learn and risk-averse-customers-of-the-bank',
    'https://example.com:8080/path@2x.png',
    'git@github.com:owner/name.git',
    'postgres://user:$PASSWORD@localhost/db',
    'import { key } from "./key-value-store"',
    '-----BEGIN PUBLIC KEY-----',
  ]) {
    test(text, () => {
      // Odd spacing and key order: an untouched record is not written anew.
      const record = bytes(`{ "z":1,  "text": ${JSON.stringify(text)} }`);
      assert.equal(redactRecord(record), record);
      assert.equal(redactText(text), text);
    });
  }

  test('what only is called a signature is looked at', () => {
    assert.equal(
      redacted(JSON.stringify({ signature: `ghp_${body(36)}` })).includes('ghp_'),
      false,
    );
  });

  test('signed blobs are left alone: an edit would only break them', () => {
    const record = bytes(JSON.stringify({ signature: `ghp_${body(96)}` }));
    assert.equal(redactRecord(record), record);
  });
});
