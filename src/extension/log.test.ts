import assert from 'node:assert/strict';
import { createLogRedactor } from '../library/redaction/redactors.js';
import { noRedactionSettings } from '../core/redact/settings.js';
import { MaskedLog, type LogSink } from './log.js';

const canary = ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join('');
const own = 'acme 4711 mole';
const settings = { ...noRedactionSettings, rules: [{ name: 'acme', pattern: 'acme \\d{4} \\w+' }] };

function createLog(load = () => Promise.resolve(createLogRedactor(settings))) {
  const lines: string[] = [];
  const take =
    (level: string) =>
    (message: string | Error): void =>
      void lines.push(`${level} ${String(message)}`);
  const sink: LogSink = {
    info: take('info'),
    warn: take('warn'),
    error: take('error'),
    show: () => undefined,
  };
  return { lines, log: new MaskedLog(sink, load) };
}

suite('no secret gets into the log, which people send along', () => {
  const rows: Readonly<Record<string, (log: MaskedLog) => void>> = {
    'what is told': (log) => log.info(`cloning https://x:${canary}@github.com/acme/app`),
    'a problem of a store': (log) => log.warn(`/a/b.jsonl: unexpected "${canary}"`),
    'the cause of an expected error': (log) => log.warn('Not read', new Error(`at ${canary}`)),
    'a cause that is no error': (log) => log.warn('Not read', { output: [`GH=${canary}`] }),
    'an error with its causes': (log) =>
      log.error(new Error('failed', { cause: new Error('inner', { cause: `key ${canary}` }) })),
    'what an error carries along': (log) =>
      log.error(Object.assign(new Error('failed'), { stderr: `bad ${canary}` })),
    'what was thrown and is no error': (log) => log.error(`stopped at ${canary}`),
    "what the user's own rule finds": (log) => log.info(`see ${own}`),
  };
  for (const [title, write] of Object.entries(rows)) {
    test(title, async () => {
      const { log, lines } = createLog();
      write(log);
      write(log);
      await log.flush();
      assert.equal(lines.length, 2);
      for (const line of lines) {
        assert.ok(!line.includes(canary) && !line.includes(own), line);
        assert.match(line, /\[REDACTED:[a-z-]+\]/);
      }
    });
  }

  test('nor what a parser quotes of a conversation that it could not read', async () => {
    const { log, lines } = createLog();
    const broken = [
      'Please look at',
      `{"a": Please ${'x'.repeat(90)}`,
      `${' '.repeat(90)}Please`,
      `[1, "b", Please${' '.repeat(90)}]`,
    ];
    for (const text of broken) {
      try {
        JSON.parse(text);
        assert.fail('it is JSON');
      } catch (error) {
        log.warn('Not read', error);
        log.error(new Error('failed', { cause: error }));
        log.info(String(error));
      }
    }
    await log.flush();
    assert.equal(lines.length, 3 * broken.length);
    // The token that V8 names is one character.
    for (const line of lines) assert.doesNotMatch(line, /Ple|eas|ase/);
    assert.match(
      lines[0] ?? '',
      /Not read\nSyntaxError: Unexpected token 'P', it is not valid JSON/,
    );
  });

  test('lines from before it was loaded come first and in order', async () => {
    const { log, lines } = createLog();
    log.info('1');
    log.warn('2');
    await log.flush();
    log.info('3');
    assert.deepEqual(lines, ['info 1', 'warn 2', 'info 3']);
  });

  test('nothing is written unseen when what masks cannot be loaded', async () => {
    const { log, lines } = createLog(() => Promise.reject(new Error('gone')));
    log.info(canary);
    await log.flush();
    assert.equal(lines.length, 1);
    assert.ok(!lines[0]?.includes(canary));
  });

  test('new rules hold from the next line on', async () => {
    let rules = noRedactionSettings;
    const { log, lines } = createLog(() => Promise.resolve(createLogRedactor(rules)));
    log.info(own);
    await log.flush();
    rules = settings;
    log.forgetMask();
    log.info(own);
    await log.flush();
    assert.deepEqual(lines, [`info ${own}`, 'info [REDACTED:acme]']);
  });

  test('paths stay, since a log without them explains nothing', async () => {
    const { log, lines } = createLog();
    log.info('Opened /home/ann/code/app/src/index.ts');
    await log.flush();
    assert.deepEqual(lines, ['info Opened /home/ann/code/app/src/index.ts']);
  });
});
