import assert from 'node:assert/strict';
import { resumeArgv } from './launch.js';

suite('going on with a session', () => {
  test('is an argv of its own words, never a line for a shell', () => {
    const id = '5f2c9d1e-7a43-4b8f-9c56-0d1e2f3a4b5c';
    assert.deepEqual(resumeArgv(id), ['claude', '--resume', id]);
  });

  for (const id of [
    'agent-a1b2c3',
    '',
    '--help',
    '5f2c9d1e-7a43-4b8f-9c56-0d1e2f3a4b5c; rm',
    '../x',
  ]) {
    test(`is not offered for what is no session: "${id}"`, () => {
      assert.equal(resumeArgv(id), undefined);
    });
  }
});
