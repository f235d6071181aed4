import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

// Put together here, so that no scanner takes this file for a leak.
const token = ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join('');

suite('keepthread redact', function () {
  this.timeout(900_000);
  let home: string;
  setup(() => (home = mkdtempSync(join(tmpdir(), 'keepthread-redact-'))));
  teardown(() => rmSync(home, { recursive: true, force: true }));

  const redact = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', main, 'redact', ...args], {
      cwd: dirname(main),
      env: { PATH: process.env['PATH'], HOME: home, MY_TOKEN: 'said-by-the-variable' },
      input,
      encoding: 'utf8',
    });

  test('prints the text with secrets masked and everything else as it was', () => {
    const { stdout, status } = redact(`a\r\n${token}\n${token} ü`, '--lane', 'save');
    assert.equal(stdout, 'a\r\n[REDACTED:github-token#1]\n[REDACTED:github-token#1] ü');
    assert.equal(status, 0);
  });

  test('says in JSON where they were, in UTF-16 units of the input', () => {
    const input = `\ufeff👩‍💻 ${token}`;
    const { stdout } = redact(input, '--lane', 'share', '--json');
    const start = input.indexOf(token);
    assert.deepEqual(JSON.parse(stdout), {
      text: '\ufeff👩‍💻 [REDACTED:github-token#1]',
      findings: [{ kind: 'github-token', start, end: input.length }],
    });
  });

  test('masks the values of files and, to share, of secret variables', () => {
    const file = join(home, 'values.env');
    writeFileSync(file, 'CODE_NAME="blue whale 42"\n');
    const text = 'blue whale 42 is said-by-the-variable';
    const saved = redact(text, '--lane', 'save', '--env-file', file);
    assert.equal(saved.stdout, '[REDACTED:known-value#1] is said-by-the-variable');
    const shared = redact(text, '--lane', 'share', '--env-file', file);
    assert.equal(shared.stdout, '[REDACTED:known-value#1] is [REDACTED:known-value#2]');
  });

  test('reads a file of values by itself: says when it is missing, and obeys nothing in it', () => {
    const missing = redact('x', '--lane', 'save', '--values-from', join(home, 'none'), '--json');
    assert.deepEqual([missing.status, missing.stdout], [1, '']);
    assert.match(missing.stderr, /"reason": "fileUnreadable"[^]*--values-from/);
    const file = join(home, 'values.env');
    writeFileSync(file, 'CODE_NAME="blue whale 42"\nNODE_OPTIONS=--not-an-option\n');
    const masked = redact('blue whale 42', '--lane', 'save', '--values-from', file);
    assert.equal(masked.stdout, '[REDACTED:known-value#1]', masked.stderr);
  });

  test('masks what this machine keeps secret and whose machine it is', () => {
    writeFileSync(join(home, '.netrc'), 'machine a login b password quiet-otter');
    const shared = redact(`${home}/x: quiet-otter`, '--lane', 'share', '--json');
    const { text, findings } = JSON.parse(shared.stdout) as { text: string; findings: unknown[] };
    assert.deepEqual([text, findings.length], ['~/x: [REDACTED:known-value#1]', 1]);
  });

  test('follows rules and exceptions of its user, and says which rule cannot be used', () => {
    const rules = join(home, 'rules.json');
    const allow = join(home, 'allow.txt');
    writeFileSync(rules, JSON.stringify([{ name: 'Ticket', pattern: 'T-\\d+' }]));
    writeFileSync(allow, `${token}\n`);
    const args = ['--lane', 'save', '--rules', rules, '--allow', allow];
    assert.equal(redact(`T-12 ${token}`, ...args).stdout, `[REDACTED:ticket#1] ${token}`);
    writeFileSync(rules, JSON.stringify([{ name: 'Ticket', pattern: '(T+)+' }]));
    const refused = redact('x', ...args);
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /“Ticket” could take time without end/);
  });

  test('wants a lane that there is', () => {
    assert.equal(redact('x').status, 2);
    assert.equal(redact('x', '--lane', 'all').status, 2);
  });
});
