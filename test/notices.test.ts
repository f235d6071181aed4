import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { makeNotices, noticesFile } from '../scripts/notices.js';

suite('third-party notices', () => {
  test('name the licence of everything that is bundled (`npm run notices` writes them)', async () => {
    const written = readFileSync(noticesFile, 'utf8').replaceAll('\r\n', '\n');
    assert.equal(written, await makeNotices());
  });
});
