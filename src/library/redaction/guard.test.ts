import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OutOfTime } from '../../core/redact/scan.js';
import { guard } from './guard.js';

// A rule that no check let through, on a text that makes it try for longer than anybody lives.
const slow = { kind: 'slow', pattern: /(?:a|a)+$/g };
const text = `see ${'a'.repeat(60)}!`;

const here = fileURLToPath(import.meta.url);

suite('a rule that never ends stops nothing, and lets nothing out', function () {
  this.timeout(900_000);

  test('its text is withheld, the next one is looked at, in a process of its own', () => {
    // Were the guard broken, this would never end: hence a process that is ended for it.
    const script = `
      import { Redactor } from '${new URL('../../core/redact/redactor.ts', import.meta.url).href}';
      import { guard } from '${new URL('guard.ts', import.meta.url).href}';
      const short = (run, ms) => guard(run, Math.min(ms, 200));
      const redactor = new Redactor({ lane: 'share', custom: [{ kind: 'slow', pattern: ${String(slow.pattern)} }], guard: short });
      const slow = redactor.text(${JSON.stringify(text)});
      const value = redactor.value({ one: ${JSON.stringify(text)}, two: 'bold' });
      console.log(JSON.stringify({ slow, value, report: redactor.report }));
    `;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { cwd: dirname(here), encoding: 'utf8', timeout: 50_000, killSignal: 'SIGKILL' },
    );
    assert.notEqual(stdout, '', stderr);
    const withheld = '[WITHHELD: this text could not be scanned for secrets]';
    const { slow: first, value, report } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(first, { text: withheld, findings: [], homes: [], withheld: true });
    assert.deepEqual(value, {
      value: { one: withheld, two: 'bold' },
      findings: [],
      withheld: true,
    });
    assert.equal((report as { readonly withheld: number }).withheld, 2);
  });
});

suite('the guard', () => {
  test('gives what the function gives', () => {
    assert.deepEqual(
      guard(() => ({ a: 1 }), 1000),
      { a: 1 },
    );
  });
  test('passes on what the function throws', () => {
    assert.throws(
      () => guard(() => assert.fail('mine'), 1000),
      (error) => error instanceof Error && error.message === 'mine',
    );
  });
  test('can be used within itself', () => {
    assert.equal(
      guard(() => guard(() => 1, 1000) + guard(() => 2, 1000), 1000),
      3,
    );
  });
  test('says that the time is over in a way that the redactor knows', () => {
    const endless = (): void => {
      for (;;);
    };
    assert.throws(() => guard(endless, 20), OutOfTime);
  });
});
