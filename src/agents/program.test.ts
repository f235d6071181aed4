import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, scriptOfShim } from './program.js';

/** Words that a shell, a terminal or a careless join would make something else of. */
const hostile = [
  '',
  ' ',
  '  two  spaces  ',
  '\t',
  'line\nbreak',
  'carriage\rreturn',
  '"',
  "'",
  '`',
  '""',
  "''",
  '"quoted"',
  "it's",
  '\\',
  '\\\\',
  'ends with \\',
  '\\"',
  '$HOME',
  '${HOME}',
  '$(touch /tmp/owned)',
  '`touch /tmp/owned`',
  '%PATH%',
  '%%',
  '!history!',
  '^caret^',
  '; rm -rf .',
  '&& echo owned',
  '|| echo owned',
  '| cat',
  '& start',
  '> file',
  '< file',
  '2>&1',
  '*',
  '?',
  '[a-z]',
  '{a,b}',
  '~',
  '~root',
  '#comment',
  '-',
  '--',
  '-rf',
  '--resume',
  '--help=x',
  '@file',
  '=x',
  '(sub)',
  '购物车',
  'émoji 👩‍👩‍👧',
  'e\u0301',
  '\u202eright to left',
  '\u200bzero width',
  '\ufeffmark',
  '../../etc/passwd',
  '/absolute/path',
  'C:\\Program Files\\x',
  '\\\\server\\share',
  'file:///etc/passwd',
  '\u001b[31mred\u001b[0m',
  '\u0007bell',
  'a'.repeat(10_000),
];

suite('starting an agent', () => {
  let folder: string;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'prögram '));
  });
  teardown(() => rmSync(folder, { recursive: true }));

  /** A program that prints its arguments as JSON. */
  const canary = (name: string, at = folder): void => {
    mkdirSync(at, { recursive: true });
    const file = join(at, name);
    const print = 'console.log(JSON.stringify(process.argv.slice(2)))';
    writeFileSync(file, `#!${process.execPath}\n${print}\n`);
    chmodSync(file, 0o755);
  };
  const find = (argv: readonly string[], path = folder) =>
    findProgram(argv, { platform: process.platform, env: { PATH: path } });

  test('ids, paths and titles of sixty hostile kinds reach the program as they are', async function () {
    if (process.platform === 'win32') this.skip();
    assert.ok(hostile.length >= 60);
    canary('agent');
    const program = (await find(['agent', ...hostile])) ?? assert.fail();
    const { stdout } = spawnSync(program.file, program.args, { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(stdout), hostile);
  });

  test('a program that is not there, or is not one, is not found', async function () {
    if (process.platform === 'win32') this.skip();
    writeFileSync(join(folder, 'text'), 'no program');
    mkdirSync(join(folder, 'folder'));
    for (const name of ['missing', 'text', 'folder']) assert.equal(await find([name]), undefined);
  });

  test('the working folder is never searched, however the search path names it', async function () {
    if (process.platform === 'win32') this.skip();
    canary('agent');
    const before = process.cwd();
    process.chdir(folder);
    try {
      for (const path of ['.', '', './', ':']) assert.equal(await find(['agent'], path), undefined);
    } finally {
      process.chdir(before);
    }
  });

  const shims = [
    ['npm 6 to 11', String.raw`  "%_prog%"  "%dp0%\node_modules\@openai\codex\bin\codex.js" %*`],
    ['older', String.raw`@"%~dp0\node_modules\@openai\codex\bin\codex.js"   %*`],
  ] as const;
  for (const [title, shim] of shims) {
    test(`what a .cmd file of npm starts is started without it (${title})`, () => {
      assert.equal(
        scriptOfShim(`@ECHO off\r\n${shim}\r\n`, String.raw`C:\npm`),
        String.raw`C:\npm\node_modules\@openai\codex\bin\codex.js`,
      );
    });
  }

  test('any other .cmd file is not guessed at', () => {
    assert.equal(scriptOfShim('@echo off\r\nnode server.js %1\r\n', String.raw`C:\x`), undefined);
  });
});
