import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cliDocs, cliDocsFile } from '../../scripts/cliDocs.js';

suite('the help of the command line', () => {
  test('is what docs/cli.md says (tsx scripts/cliDocs.ts writes it)', () => {
    assert.equal(readFileSync(cliDocsFile, 'utf8'), cliDocs());
  });
});
