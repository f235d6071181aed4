import assert from 'node:assert/strict';
import { createProgram } from '../program.js';
import { wordsOfBash } from './scripts.js';
import { wantedAt, type Wanted } from './wanted.js';

/** What is asked for, in short: kind and paths, then the values that fit what is typed. */
function show({ values, kind, paths, typed, before }: Wanted): string {
  const fitting = values.map(({ value }) => value).filter((value) => value.startsWith(typed));
  return [kind ?? '', paths ?? '', ...fitting.map((value) => before + value)]
    .filter((word) => word !== '')
    .join(' ');
}

suite('completing a call at the prompt', () => {
  const completes = (words: string, expected: string) =>
    test(`keepthread ${words}`, () => {
      assert.equal(show(wantedAt(createProgram(false), words.split(' '))), expected);
    });
  completes('ses', 'session');
  completes('session ex', 'export');
  completes('session unap', 'unapply');
  completes('session show ', 'session');
  completes('session show --j', '--json');
  completes('--store ', 'dirs');
  completes('--store /x session li', 'list');
  completes('--store=/x session li', 'list');
  completes('session export x --format ', 'keepthread markdown json html atif otel');
  completes('session export x --format ma', 'markdown');
  completes('session export x --format=ma', '--format=markdown');
  completes('session export x --from ', 'snapshot');
  completes('session export x --thread ', 'thread');
  completes('session export x --output ', 'files');
  completes('session export x --no-f', '--no-files');
  completes('session export x --no-files --no-f', '');
  completes('session import ', 'files');
  completes('session import a.keepthread --folder ', 'dirs');
  completes('session import a.keepthread --passphrase-file ', 'files');
  completes('session import a.keepthread --take-theirs ', 'title goal status');
  completes('session import a.keepthread --take-theirs ti', 'title');
  completes('session import a.keepthread --take-theirs title,', 'title,goal title,status');
  completes('session import a.keepthread --take-theirs=goal,s', '--take-theirs=goal,status');
  completes('session apply x --st', '--staged --store');
  completes('redact --values-from ', 'files');
  completes('session apply ', 'session');
  completes('session apply --snapshot ', 'snapshot');
  completes('session unapply ', 'snapshot');
  completes('thread show ', 'thread');
  completes('thread list --agent ', 'agent');
  completes('continue ', 'thread');
  completes('continue x --in co', 'codex continue copilot-cli');
  completes('search words --session ', 'session');
  completes('search words --agent ', 'agent');
  completes('project attach ', 'project');
  completes('vault backup ', 'dirs');
  completes('redact --lane ', 'save share');
  completes('completion ', 'bash zsh fish powershell');
  completes('session show -- -', 'session');
  completes('session show x y', '');

  test('what is hidden is not offered', () => {
    const all = wantedAt(createProgram(false), ['']).values.map(({ value }) => value);
    assert.ok(all.includes('completion') && !all.includes('complete'), all.join());
  });

  const joins = (words: readonly string[], expected: readonly string[], kept: number) =>
    test(`bash: ${words.join('␣')}`, () => {
      assert.deepEqual(wordsOfBash(words), { words: expected, kept });
    });
  joins(['session', 'sh'], ['session', 'sh'], 0);
  joins(['export', '--format', '=', 'ma'], ['export', '--format=ma'], 9);
  joins(['export', '--format', '='], ['export', '--format='], 9);
  joins(['show', 'a', ':', 'b'], ['show', 'a:b'], 2);
  joins(['show', 'a', ':', 'b', ''], ['show', 'a:b', ''], 0);
});
