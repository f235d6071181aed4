import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { agentsFile, withTable } from '../scripts/agentsTable.js';

suite('the table of agents', () => {
  test('says what comes out of the kept transcripts now (`npm run docs:agents` writes it)', async () => {
    const written = readFileSync(agentsFile, 'utf8').replaceAll('\r\n', '\n');
    assert.equal(written, await withTable(written));
  });
});
