import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { handoffSchema, schemaFile } from '../../scripts/handoffSchema.js';

suite('the schema of session files', () => {
  test('is published as it is read with (tsx scripts/handoffSchema.ts writes it)', async () => {
    assert.equal(readFileSync(schemaFile, 'utf8'), await handoffSchema());
  });
});
