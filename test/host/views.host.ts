import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExpectedError } from '../../src/core/errors.js';
import { createErrorReporter, wordsOf } from '../../src/extension/errors.js';
import { Command, View } from '../../src/extension/ids.js';
import { Reports } from '../../src/extension/views/reports.js';
import * as words from '../../src/extension/views/words.js';
import { clearWindow, run, tabsNow, until } from './windowState.js';

const now = new Date(2026, 2, 18, 14, 30).getTime();
const at = (day: number, hour = 0): number => new Date(2026, 2, day, hour).getTime();

suite('words of the views', () => {
  const says = (title: string, actual: () => string | undefined, expected: string | undefined) =>
    test(title, () => assert.equal(actual(), expected));

  says('today', () => words.dayWords(at(18), now), 'Today');
  says('yesterday', () => words.dayWords(at(17), now), 'Yesterday');
  says('a weekday within the last week', () => words.dayWords(at(13), now), 'Friday');
  says('the date before that', () => words.dayWords(at(11), now), 'Wed, March 11');
  says('a month', () => words.monthWords(at(1)), 'March 2026');
  says('only the time on the same day', () => words.momentWords(at(18, 9), now), '9:00 AM');
  says('the day where it was another', () => words.momentWords(at(17, 9), now), 'Mar 17 9:00 AM');
  says(
    'the year where it was another',
    () => words.momentWords(new Date(2025, 0, 2, 9).getTime(), now),
    'Jan 2, 2025 9:00 AM',
  );
  says(
    'how far the first reading is',
    () => words.readingWords({ done: 120, total: 3000, paused: false }),
    'Reading conversations: 120 of 3,000',
  );
  says(
    'that it is paused',
    () => words.readingWords({ done: 120, total: 3000, paused: true }),
    'Reading conversations is paused: 120 of 3,000',
  );
  says('bytes', () => words.bytesWords(631), '631 bytes');
  says('a byte', () => words.bytesWords(1), '1 byte');
  says('kilobytes', () => words.bytesWords(3000), '2.9 KB');
  says('nothing', () => words.bytesWords(0), '0 bytes');
  says('megabytes', () => words.bytesWords(1.5 * 1024 * 1024), '1.5 MB');
  says('more than there are units for', () => words.bytesWords(2048 * 1024 ** 3), '2,048 GB');
  says(
    'what changed, each with its number',
    () => words.deltaWords({ tabsOpened: 1, tabsClosed: 0, filesChanged: 3, turnsAdded: 0 }),
    '1 tab opened, 3 files changed',
  );
  says(
    'nothing where nothing changed',
    () => words.deltaWords({ tabsOpened: 0, tabsClosed: 0, filesChanged: 0, turnsAdded: 0 }),
    undefined,
  );
});

suite('what a person is told', () => {
  suiteTeardown(clearWindow);

  test('an expected error says what to do next', () => {
    const error = new ExpectedError('diskFull', 'Nothing was saved to {0}.', ['/x'], {
      next: 'Make room.',
    });
    assert.equal(wordsOf(error), 'Nothing was saved to /x. Make room.');
  });

  test('a failure ends in a message, never in an exception', async () => {
    const log = vscode.window.createOutputChannel('Error tests', { log: true });
    const errors = createErrorReporter(log);
    for (const error of [new Error('bug'), new vscode.CancellationError(), 'no error at all']) {
      assert.equal(await errors.run<string>(() => Promise.reject(error as Error)), undefined);
    }
    assert.equal(await errors.run(() => Promise.resolve(1)), 1);
    log.dispose();
  });

  test('a report opens as a document', async () => {
    const reports = new Reports();
    await reports.show('Restore report', '# Done');
    await until('the report shows', () => tabsNow().includes('Restore report'));
    reports.dispose();
  });

  test('where nothing is read for the first time, there is nothing to pause, and that is no failure', async () => {
    await run(Command.pauseReading);
    await run(Command.resumeReading);
  });

  test('the view is where the manifest says', async () => {
    await run(`${View.sessions}.focus`);
  });
});
