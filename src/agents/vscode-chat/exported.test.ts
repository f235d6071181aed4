import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { line, request, state } from '../../../test/agents/chatRecords.js';
import { parse } from '../../../test/agents/chatThreads.js';
import { isFields } from '../json.js';
import { exportedForm } from './exported.js';

suite('a chat of VS Code as it is exported', () => {
  test('is what VS Code itself exports', async () => {
    const folder = 'test/fixtures/vscode-chat/vscode-1.139.1';
    const log = await readFile(`${folder}.jsonl`, 'utf8');
    const theirs: unknown = JSON.parse(await readFile(`${folder}-export.json`, 'utf8'));
    const ours = exportedForm(parse(log.trimEnd().split('\n')).chat);
    assert.ok(ours && isFields(theirs));
    // The list of parts is VS Code's own; of a part, it leaves out what is not set.
    const ids = (chat: Readonly<Record<string, unknown>>) =>
      JSON.stringify(chat['requests']).match(/"requestId":"[^"]+"|"toolCallId":"[^"]+"/g);
    assert.deepEqual(ids(ours), ids(theirs));
    for (const key of Object.keys(theirs)) assert.ok(key in ours, key);
    for (const key of ['sessionId', 'version', 'creationDate']) assert.ok(!(key in ours), key);
  });

  test('one with nothing in it has no exported form', () => {
    assert.equal(exportedForm(undefined), undefined);
    assert.equal(exportedForm(parse([line({ kind: 0, v: state([]) })]).chat), undefined);
  });

  test('what is left of a lost request is not exported: VS Code would refuse the whole', () => {
    const { chat } = parse([
      line({ kind: 0, v: state([request(1)]) }),
      '{',
      line({ kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'x' }] }),
    ]);
    const requests: unknown = exportedForm(chat)?.['requests'];
    assert.ok(Array.isArray(requests) && requests.length === 1);
  });
});
